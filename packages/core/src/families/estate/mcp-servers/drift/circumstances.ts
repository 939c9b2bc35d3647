import type { KeptSnapshot } from "../manifest/snapshots.js";

/** What an offer may depend on beside the server's own code. */
export const CIRCUMSTANCES = [
  "server_version",
  "client_name",
  "client_capabilities",
  "environment",
  "arguments",
  "folder",
] as const;

/** Something that is another now than when the offer was approved. It explains a drift, and excuses none. */
export interface Circumstance {
  readonly what: (typeof CIRCUMSTANCES)[number];
  /** Text, or the SHA-256 of what is not shown; `null` where it is not known. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What has changed around an offer since it was approved. Empty when nothing was approved. */
export function circumstancesOf(approved: KeptSnapshot | undefined, current: KeptSnapshot): Circumstance[] {
  if (!approved) return [];
  const [was, is] = [around(approved), around(current)];
  return CIRCUMSTANCES.filter((what) => was[what] !== is[what]).map((what) => ({
    what,
    before: was[what],
    after: is[what],
  }));
}

function around({ serverInfo, askedAs, launch }: KeptSnapshot): Record<Circumstance["what"], string | null> {
  return {
    server_version: serverInfo?.version ?? null,
    client_name: askedAs?.name ?? null,
    client_capabilities: askedAs?.capabilities.join(", ") ?? null,
    environment: launch?.environment ?? null,
    arguments: launch?.arguments ?? null,
    folder: launch?.folder ?? null,
  };
}
