import { canonical } from "#kernel/events/canonical.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import { sha256 } from "#store/chain.js";
import type { Publication } from "../publications/schema.js";
import type { Effect, InForce } from "./fields.js";

/** How long after a report an installation is silent. */
export const SILENT_AFTER = hoursMs(1);

interface Reporting {
  readonly report: InForce | null;
  readonly enrolledAt: string;
}

/** What is in force on a machine at a moment. Silence is never compliance. */
export function effectOf({ report, enrolledAt }: Reporting, latest: Publication | undefined, nowMs: number): Effect {
  if (!report) return { effect: "unknown", effectSince: enrolledAt };
  if (Date.parse(report.at) + SILENT_AFTER < nowMs) return { effect: "silent", effectSince: report.at };
  if (report.digest === latest?.digest)
    return { effect: "in_force", effectSince: later(report.since, latest.createdAt) };
  if (latest && report.number !== null) return { effect: "older", effectSince: later(report.since, latest.createdAt) };
  return { effect: "other", effectSince: report.since };
}

const later = (one: string, other: string): string => (one > other ? one : other);

interface ServerIdentity {
  readonly url?: string | null | undefined;
  readonly command?: string | null | undefined;
  readonly args?: readonly string[] | undefined;
}

/** The identity of a server as clients compare it: its address, or its program with every argument. */
export function identityOf({ url, command, args = [] }: ServerIdentity): string {
  return sha256(canonical(typeof url === "string" ? { url } : { command: command ?? "", args: [...args] }));
}

/** A report that says the same as one of a moment ago need not be stored. */
export const isFresh = (at: string, nowMs: number): boolean => at > timestamp(nowMs - 30_000);
