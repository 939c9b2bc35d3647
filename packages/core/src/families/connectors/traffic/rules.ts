import { type ErrorClass, MISCONFIGURED } from "#connectors/index.js";
import { hoursMs } from "#ports/durations.js";
import { type ConnectorTraffic, LATENCY_BOUNDS } from "./schema.js";

/** Numbers of calls, whenever they were. */
export type Tally = Pick<ConnectorTraffic, "ok" | "failed" | "latency">;

/** No calls at all. */
export const noCalls = (): Tally => ({ ok: 0, failed: {}, latency: new Array(LATENCY_BOUNDS.length + 1).fill(0) });

/** A tally with one more call. `failed` is the class of its failure, if it failed. */
export function tallyWith(tally: Tally, ms: number, failed?: ErrorClass): Tally {
  const at = LATENCY_BOUNDS.findIndex((bound) => ms <= bound);
  const latency = tally.latency.with(at === -1 ? LATENCY_BOUNDS.length : at, (tally.latency.at(at) as number) + 1);
  return failed === undefined
    ? { ...tally, ok: tally.ok + 1, latency }
    : { ...tally, failed: { ...tally.failed, [failed]: (tally.failed[failed] ?? 0) + 1 }, latency };
}

/** The sum of several tallies. */
export function sumOf(tallies: readonly Tally[]): Tally {
  return tallies.reduce((sum, { ok, failed, latency }) => {
    const classes = { ...sum.failed };
    for (const [name, count] of Object.entries(failed) as [ErrorClass, number][])
      classes[name] = (classes[name] ?? 0) + count;
    return { ok: sum.ok + ok, failed: classes, latency: sum.latency.map((count, at) => count + (latency[at] ?? 0)) };
  }, noCalls());
}

export const failuresOf = ({ failed }: Pick<Tally, "failed">) =>
  Object.values(failed).reduce((sum, count) => sum + count, 0);

/** The latency that this part of the calls did not exceed, as the bound of its class. `null` without calls. */
export function percentile({ latency }: Pick<Tally, "latency">, part: number): number | null {
  const all = latency.reduce((sum, count) => sum + count, 0);
  let left = Math.ceil(all * part);
  if (all === 0) return null;
  for (const [at, count] of latency.entries()) {
    left -= count;
    if (left <= 0) return LATENCY_BOUNDS[at] ?? null;
  }
  return null;
}

/** How an instance did over a time. Without a call nothing is known. */
export function worstOf(tally: Tally): "none" | "healthy" | "degraded" | "down" | "misconfigured" {
  const failures = failuresOf(tally);
  if (tally.ok + failures === 0) return "none";
  if (Object.keys(tally.failed).some((name) => MISCONFIGURED.has(name as ErrorClass))) return "misconfigured";
  return failures === 0 ? "healthy" : tally.ok === 0 ? "down" : "degraded";
}

/** The beginning of an hour. */
export const hourOf = (ms: number) => new Date(hoursMs(Math.floor(ms / hoursMs(1)))).toISOString();
