import { type Found, fault, ok, warning } from "./finding.js";

/** Instants in epoch ms: before the question, of the database, and after the answer. */
interface Reading {
  readonly before: number;
  readonly database: number;
  readonly after: number;
}

const MEND = "synchronise both machines by NTP";

/**
 * How far the clocks of this machine and of the database are apart at least, whatever the time of the answer. Tokens and
 * one-time codes live for minutes.
 */
export function clockFinding({ before, database, after }: Reading): Found {
  const apart = Math.max(0, database - after, before - database);
  if (apart === 0) return ok("the database has the time of this machine");
  const detail = `the database is ${(apart / 1_000).toFixed(1)} s ${database > after ? "ahead of" : "behind"} this machine`;
  if (apart < 1_000) return ok(detail);
  return apart < 30_000 ? warning(`${detail}; ${MEND}`) : fault(`${detail}; ${MEND}`);
}
