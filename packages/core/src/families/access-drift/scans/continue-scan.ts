import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import type { Found } from "#store/store.js";
import { driftScanStatus } from "./machine.js";
import { isWhole, phaseAfter } from "./rules.js";
import { type AccessDriftScan, accessDriftScanRuns, accessDriftScans, type DriftScanRun } from "./schema.js";

/** How long a process reserves a scan between two writes, in milliseconds. It is longer than a call may take. */
export const LEASE = 120_000;
/** Records of one transaction. */
export const CHUNK = 200;

/** Where a page of records goes on, oldest first. */
export const nextChunk = ({ cursor }: DriftScanRun, size = CHUNK) => ({
  order: { direction: "asc" } as const,
  size,
  ...(cursor === null ? {} : { after: JSON.parse(cursor) }),
});

/**
 * Does the next write of a scan within its transaction, if this process still holds it. Rejects with
 * `concurrent_modification` when another one has taken over, or when the scan has ended.
 */
export async function continueScan(
  ctx: Context,
  run: DriftScanRun,
  step: (scan: AccessDriftScan, lease: string) => Promise<DriftScanRun>,
): Promise<DriftScanRun> {
  const held = await ctx.db.get(accessDriftScanRuns, run.id);
  const scan = await ctx.getOrThrow(accessDriftScans, run.scanId);
  if (held?.value.version !== run.version || scan.status !== "running") throw new ReeveError("concurrent_modification");
  return step(scan, timestamp(ctx.request.nowMs + LEASE));
}

type Counts = AccessDriftScan["counts"];

/** Adds to what a scan has counted. */
export function counted(
  ctx: Context,
  scan: AccessDriftScan,
  more: Partial<Counts>,
  patch: Partial<Pick<AccessDriftScan, "complete" | "incompleteBecause" | "leftOut" | "credentialsComplete">> = {},
): Promise<AccessDriftScan> {
  const counts = { ...scan.counts };
  for (const name of Object.keys(more) as (keyof Counts)[]) counts[name] += more[name] ?? 0;
  return ctx.update(accessDriftScans, scan, { counts, ...patch }, { event: false, stamp: false });
}

/** Goes on after a chunk, or with the next phase after the last. */
export function afterChunk(
  ctx: Context,
  scan: AccessDriftScan,
  run: DriftScanRun,
  lease: string,
  { next }: Pick<Found<never>, "next">,
): Promise<DriftScanRun> {
  if (!next) return toNextPhase(ctx, scan, run, lease);
  return ctx.update(accessDriftScanRuns, run, { cursor: JSON.stringify(next), attempts: 0, dueAt: lease });
}

/** Goes on with the next phase, or ends the scan after the last. */
export async function toNextPhase(
  ctx: Context,
  scan: AccessDriftScan,
  run: DriftScanRun,
  lease: string,
): Promise<DriftScanRun> {
  const phase = phaseAfter(run.phase, scan);
  if (phase !== null) return ctx.update(accessDriftScanRuns, run, { phase, cursor: null, attempts: 0, dueAt: lease });
  const options = { triggeredBy: "system", patch: { endedAt: ctx.now } } as const;
  const event = isWhole(scan) ? "complete" : "break_off";
  await ctx.transition(accessDriftScans, driftScanStatus, scan, { event }, options);
  return ctx.update(accessDriftScanRuns, run, { dueAt: null });
}
