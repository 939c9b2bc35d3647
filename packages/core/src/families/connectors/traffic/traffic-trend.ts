import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs, hoursMs } from "#ports/durations.js";
import { failuresOf, hourOf, percentile, sumOf, worstOf } from "./rules.js";
import { type ConnectorTraffic, connectorTraffic } from "./schema.js";

/** Times to look back, and how they are divided. */
export const WINDOWS = {
  "24h": { bucketMs: hoursMs(1), buckets: 24 },
  "7d": { bucketMs: hoursMs(6), buckets: 28 },
  "30d": { bucketMs: daysMs(1), buckets: 30 },
} as const;
export type Window = keyof typeof WINDOWS;

/** How an instance did, from the oldest to the newest part of a window. */
export async function trendOf(ctx: ReadContext, connectorInstanceId: string, window: Window) {
  const { bucketMs, buckets } = WINDOWS[window];
  const end = Date.parse(hourOf(ctx.request.nowMs)) + hoursMs(1);
  const start = end - bucketMs * buckets;
  const rows = await hoursSince(ctx, connectorInstanceId, timestamp(start));
  return Array.from({ length: buckets }, (_unused, at) => {
    const [from, to] = [timestamp(start + at * bucketMs), timestamp(start + (at + 1) * bucketMs)];
    return { from, to, ...bucketOf(rows.filter(({ hour }) => hour >= from && hour < to)) };
  });
}

function bucketOf(rows: readonly ConnectorTraffic[]) {
  const tally = sumOf(rows);
  const failed = failuresOf(tally);
  const calls = tally.ok + failed;
  return {
    worst: worstOf(tally),
    sources: [...new Set(rows.map(({ source }) => source))].sort(),
    availability: calls === 0 ? null : tally.ok / calls,
    ok: tally.ok,
    failed: tally.failed,
    p50: percentile(tally, 0.5),
    p95: percentile(tally, 0.95),
  };
}

const CHUNK = 1_000;

async function hoursSince(ctx: ReadContext, connectorInstanceId: string, from: string): Promise<ConnectorTraffic[]> {
  const order = { by: "hour", direction: "asc" } as const;
  const query = { where: { connectorInstanceId }, order, range: { from }, size: CHUNK };
  const rows: ConnectorTraffic[] = [];
  for (let found = await ctx.db.find(connectorTraffic, query); ; ) {
    rows.push(...found.rows.map(({ value }) => value));
    if (!found.next) return rows;
    found = await ctx.db.find(connectorTraffic, { ...query, after: found.next });
  }
}
