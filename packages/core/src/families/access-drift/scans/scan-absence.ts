import {
  type AccessAssignment,
  type AccessReconciliation,
  accessReconciliations,
  hides,
  noteHidden,
} from "#families/access-grants/index.js";
import { isAnomalous } from "#families/connectors/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import { noteDrift, observationOf } from "../drift/note-drift.js";
import { afterChunk, continueScan, counted, nextChunk, toNextPhase } from "./continue-scan.js";
import { holdersNow } from "./grants/match.js";
import { driftScanStatus } from "./machine.js";
import { type AccessDriftScan, accessDriftScanRuns, accessDriftScans, type DriftScanRun } from "./schema.js";

/** A grant that should be there, and one of those who hold it. */
interface Wanted {
  readonly reconciliation: AccessReconciliation;
  readonly holder: AccessAssignment;
}

/** The next grants of a target that should be there, and of those the ones that a scan has not seen. */
async function chunkOf(ctx: Context, scan: AccessDriftScan, run: DriftScanRun) {
  const where = { connectorInstanceId: scan.connectorInstanceId };
  const found = await ctx.db.find(accessReconciliations, { where, ...nextChunk(run) });
  const reconciliations = found.rows.map(({ value }) => value);
  const holders = await holdersNow(
    ctx,
    reconciliations.map(({ grantKey }) => grantKey),
  );
  const wanted = reconciliations.flatMap((reconciliation): Wanted[] => {
    const [holder] = holders.get(reconciliation.grantKey) ?? [];
    return holder && wasThere(reconciliation, scan, ctx.now) ? [{ reconciliation, holder }] : [];
  });
  const lacking = reconciliations.filter(
    (reconciliation) => holders.has(reconciliation.grantKey) && reconciliation.listedBy !== scan.id,
  );
  const hidden = lacking.filter((reconciliation) => !reconciliation.shown && wasTaken(reconciliation, scan, ctx.now));
  return { found, wanted, hidden, missing: wanted.filter(({ reconciliation }) => reconciliation.listedBy !== scan.id) };
}

/** Whether the target took a grant before the scan began, so that a listing of now must have it. */
const wasTaken = (
  { phase, observedAt, settledUntil }: AccessReconciliation,
  { startedAt }: AccessDriftScan,
  now: string,
): boolean => phase === "idle" && observedAt !== null && observedAt < startedAt && (settledUntil ?? "") <= now;

/** Whether the target has also shown it, so that it would show it now. */
const wasThere = (reconciliation: AccessReconciliation, scan: AccessDriftScan, now: string): boolean =>
  reconciliation.shown && reconciliation.targetState === "present" && wasTaken(reconciliation, scan, now);

/** Counts what a complete listing lacks, some at a time. Trips the circuit breaker of the scan when that is more than is plausible. */
export function countMissing(ctx: OutsideContext, run: DriftScanRun): Promise<DriftScanRun> {
  return ctx.write((inner) =>
    continueScan(inner, run, async (scan, lease) => {
      const { found, wanted, missing, hidden } = await chunkOf(inner, scan, run);
      for (const reconciliation of hidden) await noteHidden(inner, reconciliation, "sync");
      const more = { known: wanted.length, missing: missing.length, unknown: hidden.length };
      const reported = await counted(inner, scan, more);
      if (found.next) return afterChunk(inner, reported, run, lease, found);
      // What a target hides it may also hide of others, so its listing says nothing about what it lacks.
      if (await hides(inner, scan.connectorInstanceId))
        return toNextPhase(inner, await counted(inner, reported, {}, { complete: false }), run, lease);
      const anomaly = run.accepted ? null : await anomalyOf(inner, reported);
      return anomaly ? trip(inner, reported, run, anomaly) : toNextPhase(inner, reported, run, lease);
    }),
  );
}

async function anomalyOf(
  ctx: Context,
  { id, connectorInstanceId, counts: { known, missing, listed } }: AccessDriftScan,
) {
  const range = { from: timestamp(ctx.request.nowMs - hoursMs(1)) };
  const lately = { where: { connectorInstanceId }, range, size: 100 };
  const { rows } = await ctx.db.find(accessDriftScans, lately);
  const concluded = rows.filter(({ value }) => value.id !== id && value.status !== "anomalous" && value.complete);
  const recent = Math.max(0, ...concluded.map(({ value }) => value.counts.missing));
  return isAnomalous({ found: listed, missing, known, recent }) ? { missing, recent, known } : null;
}

async function trip(
  ctx: Context,
  scan: AccessDriftScan,
  run: DriftScanRun,
  anomaly: NonNullable<AccessDriftScan["anomaly"]>,
) {
  const options = { triggeredBy: "system", patch: { anomaly, endedAt: ctx.now } } as const;
  await ctx.transition(accessDriftScans, driftScanStatus, scan, { event: "trip" }, options);
  return ctx.update(accessDriftScanRuns, run, { phase: "missing", cursor: null, dueAt: null });
}

/** Suspects that what a complete listing lacks is missing in the target. */
export function noteMissing(ctx: OutsideContext, run: DriftScanRun): Promise<DriftScanRun> {
  return ctx.write((inner) =>
    continueScan(inner, run, async (scan, lease) => {
      const { found, missing } = await chunkOf(inner, scan, run);
      const observations = missing.map(({ holder }) => observationOf(holder, "missing_in_target"));
      const noted = await noteDrift(inner, observations, { scanId: scan.id, detectedBy: "scan" });
      return afterChunk(inner, await counted(inner, scan, { found: noted.length }), run, lease, found);
    }),
  );
}
