import {
  type AccessResource,
  accessProfileStatus,
  accessProfiles,
  accessResourceStatus,
  accessResources,
  RETIRE_AFTER,
} from "#families/access/index.js";
import { isAnomalous } from "#families/connectors/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import type { Found } from "#store/store.js";
import { continueSync, toNextPhase } from "./continue-sync.js";
import { accessSyncStatus } from "./machine.js";
import { isUnseen, withProgress } from "./rules.js";
import { type AccessSync, accessSyncRuns, accessSyncs, type SyncRun, type TypeProgress } from "./schema.js";

const CHUNK = 200;

const nextChunk = (run: SyncRun) => ({
  order: { direction: "asc" } as const,
  size: CHUNK,
  ...(run.cursor === null ? {} : { after: JSON.parse(run.cursor) }),
});

/** Goes on after a chunk, or with the next phase after the last. */
function after(ctx: Context, sync: AccessSync, run: SyncRun, lease: string, { next }: Pick<Found<never>, "next">) {
  if (!next) return toNextPhase(ctx, sync, run, lease);
  return ctx.update(accessSyncRuns, run, { cursor: JSON.stringify(next), attempts: 0, dueAt: lease });
}

/** Counts what a complete listing lacks, some at a time. Trips the circuit breaker of the sync when that is more than is plausible. */
export function countMissing(ctx: OutsideContext, run: SyncRun): Promise<SyncRun> {
  return ctx.write((inner) =>
    continueSync(inner, run, async (sync, lease) => {
      const { resourceType } = sync.perType[run.type] as TypeProgress;
      const where = { connectorInstanceId: sync.connectorInstanceId, resourceType };
      const chunk = await inner.db.find(accessResources, { where, ...nextChunk(run) });
      const known = chunk.rows.filter(({ value }) => value.status === "active" && value.firstSeenAt < sync.startedAt);
      const missing = known.filter(({ value }) => isUnseen(value, sync)).length;
      const perType = withProgress(sync, run.type, { known: known.length, missing });
      const counted = await inner.update(accessSyncs, sync, { perType }, { event: false, stamp: false });
      if (chunk.next) return after(inner, counted, run, lease, chunk);
      const anomaly = run.accepted ? null : await anomalyOf(inner, counted, perType[run.type] as TypeProgress);
      return anomaly ? trip(inner, counted, run, anomaly) : toNextPhase(inner, counted, run, lease);
    }),
  );
}

async function anomalyOf(ctx: Context, sync: AccessSync, { resourceType, seen, missing, known }: TypeProgress) {
  const recent = await missedLately(ctx, sync, resourceType);
  return isAnomalous({ found: seen, missing, known, recent }) ? { resourceType, missing, known, recent } : null;
}

/** How many resources of a type other syncs of the last hour have lost. */
async function missedLately(ctx: Context, { id, connectorInstanceId }: AccessSync, type: string): Promise<number> {
  const since = timestamp(ctx.request.nowMs - hoursMs(1));
  const range = { from: since };
  const { rows } = await ctx.db.find(accessSyncs, { where: { connectorInstanceId }, range, size: CHUNK });
  const applied = rows.filter(({ value }) => value.id !== id && value.status !== "anomalous");
  const lost = applied.flatMap(({ value }) => value.perType.filter(({ resourceType }) => resourceType === type));
  return lost.reduce((sum, { missing }) => sum + missing, 0);
}

async function trip(ctx: Context, sync: AccessSync, run: SyncRun, anomaly: NonNullable<AccessSync["anomaly"]>) {
  const options = { triggeredBy: "system", patch: { anomaly, endedAt: ctx.now } } as const;
  await ctx.transition(accessSyncs, accessSyncStatus, sync, { event: "trip" }, options);
  return ctx.update(accessSyncRuns, run, { phase: "missing", cursor: null, dueAt: null });
}

/** Marks what a complete listing lacks as missing, and retires what an earlier one lacked a day ago. */
export function markMissing(ctx: OutsideContext, run: SyncRun): Promise<SyncRun> {
  return ctx.write((inner) =>
    continueSync(inner, run, async (sync, lease) => {
      const { resourceType } = sync.perType[run.type] as TypeProgress;
      const where = { connectorInstanceId: sync.connectorInstanceId, resourceType };
      const chunk = await inner.db.find(accessResources, { where, ...nextChunk(run) });
      let retired = 0;
      for (const { value } of chunk.rows) if (isUnseen(value, sync)) retired += await miss(inner, value);
      const perType = withProgress(sync, run.type, { retired });
      const reported = await inner.update(accessSyncs, sync, { perType }, { event: false, stamp: false });
      return after(inner, reported, run, lease, chunk);
    }),
  );
}

async function miss(ctx: Context, resource: AccessResource): Promise<number> {
  const reported = { triggeredBy: "connector" } as const;
  const { status, missingSince } = resource;
  if (status === "active") {
    const options = { ...reported, patch: { missingSince: ctx.now } };
    await ctx.transition(accessResources, accessResourceStatus, resource, { event: "lose" }, options);
  }
  const isDue = status === "missing" && Date.parse(missingSince ?? ctx.now) + RETIRE_AFTER <= ctx.request.nowMs;
  if (isDue) await ctx.transition(accessResources, accessResourceStatus, resource, { event: "retire" }, reported);
  return isDue ? 1 : 0;
}

/** Marks profiles that complete listings lack as removed. None is when nothing at all was listed. */
export function withdrawProfiles(ctx: OutsideContext, run: SyncRun): Promise<SyncRun> {
  return ctx.write((inner) =>
    continueSync(inner, run, async (sync, lease) => {
      const { resourceType, profiles } = sync.perType[run.type] as TypeProgress;
      if (profiles === 0 || !run.profilesWhole) return toNextPhase(inner, sync, run, lease);
      const where = { connectorInstanceId: sync.connectorInstanceId, resourceType };
      const chunk = await inner.db.find(accessProfiles, { where, ...nextChunk(run) });
      const gone = chunk.rows.filter(({ value }) => value.status !== "removed" && isUnseen(value, sync));
      const reported = { triggeredBy: "connector" } as const;
      for (const { value } of gone)
        await inner.transition(accessProfiles, accessProfileStatus, value, { event: "withdraw" }, reported);
      const perType = withProgress(sync, run.type, { profilesChanged: gone.length });
      const counted = await inner.update(accessSyncs, sync, { perType }, { event: false, stamp: false });
      return after(inner, counted, run, lease, chunk);
    }),
  );
}
