import type { Logger } from "../ports/logger.js";

/**
 * Logs one warning when requests arrive under another path than that of `baseUrl`. Tokens and mails would then name
 * wrong addresses.
 */
export function mountCheck(baseUrl: string, logger: Logger): (mountPath: string | undefined) => void {
  const { pathname } = new URL(baseUrl);
  const expected = pathname.replace(/\/$/, "");
  let reported = false;
  return (mountPath) => {
    if (mountPath === expected || mountPath === undefined || reported) return;
    // Express ignores the case of paths and passes them on as requested.
    if (mountPath.toLowerCase() === expected.toLowerCase()) return;
    reported = true;
    const [mounted, named] = [mountPath || "/", expected || "/"];
    logger.warn(
      { mountPath: mounted, baseUrl },
      `baseUrl: its path is ${named}, and Reeve is mounted at ${mounted}; let both agree, unless a proxy changes the path on the way`,
    );
  };
}
