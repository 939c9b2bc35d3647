import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { accessSyncStatus } from "./machine.js";
import { nextPhase } from "./rules.js";
import { type AccessSync, accessSyncRuns, accessSyncs, type SyncRun, type TypeProgress } from "./schema.js";

/** How long a process reserves a sync between two writes, in milliseconds. It is longer than a call may take. */
export const LEASE = 120_000;

/**
 * Does the next write of a sync within its transaction, if this process still holds it. Rejects with
 * `concurrent_modification` when another one has taken over, or when the sync has ended.
 */
export async function continueSync(
  ctx: Context,
  run: SyncRun,
  step: (sync: AccessSync, lease: string) => Promise<SyncRun>,
): Promise<SyncRun> {
  const held = await ctx.db.get(accessSyncRuns, run.id);
  const sync = await ctx.getOrThrow(accessSyncs, run.syncId);
  if (held?.value.version !== run.version || sync.status !== "running") throw new ReeveError("concurrent_modification");
  return step(sync, timestamp(ctx.request.nowMs + LEASE));
}

/** Goes on with the next phase or type, or ends the sync after the last. */
export async function toNextPhase(
  ctx: Context,
  { perType, ...sync }: AccessSync,
  run: SyncRun,
  lease: string,
): Promise<SyncRun> {
  const next = nextPhase(run, perType[run.type] as TypeProgress);
  if (next.type < perType.length) return ctx.update(accessSyncRuns, run, { ...next, attempts: 0, dueAt: lease });
  const event = perType.every(({ complete }) => complete) ? "complete" : "break_off";
  const options = { triggeredBy: "system", patch: { endedAt: ctx.now } } as const;
  await ctx.transition(accessSyncs, accessSyncStatus, { ...sync, perType }, { event }, options);
  return ctx.update(accessSyncRuns, run, { ...next, dueAt: null });
}
