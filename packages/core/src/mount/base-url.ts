import type { Logger } from "../ports/logger.js";

/**
 * Warns once, in the log, when requests arrive below another path than `baseUrl` ends in: tokens and mails then name addresses that
 * nobody answers.
 */
export function mountCheck(baseUrl: string, logger: Logger): (mountPath: string | undefined) => void {
  const { pathname } = new URL(baseUrl);
  const expected = pathname.replace(/\/$/, "");
  let told = false;
  return (mountPath) => {
    if (mountPath === expected || mountPath === undefined || told) return;
    // Express matches paths whatever their case, and tells them as they were asked for.
    if (mountPath.toLowerCase() === expected.toLowerCase()) return;
    told = true;
    const [mounted, named] = [mountPath || "/", expected || "/"];
    logger.warn(
      { mountPath: mounted, baseUrl },
      `baseUrl: its path is ${named}, and Reeve is mounted at ${mounted}; let both agree, unless a proxy changes the path on the way`,
    );
  };
}
