import { optionsOf } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { CHAIN_ENTITY, CHAIN_SUBJECT } from "../events.js";
import { checkpoints, type StoredCheckpoint } from "../schema.js";
import { chainStart } from "./stored.js";

/** The most events deleted by one transaction, and transactions for one tenant in one tick. */
const BATCH = 500;
const BATCHES = 100;
const CHECKPOINTS = 10;

/**
 * Deletes events of checkpoints older than the retention, oldest first, and returns how many. With an anchor, only
 * accepted checkpoints count. The start of the chain moves first, so the chain verifies at any time.
 */
export async function pruneEvents(env: Environment, tenantId: string, now: string): Promise<number> {
  const { activityRetentionDays, anchor } = optionsOf(env);
  if (activityRetentionDays === undefined) return 0;
  const bound = timestamp(Date.parse(now) - daysMs(activityRetentionDays));
  const isDue = (stored: StoredCheckpoint) =>
    stored.checkpoint.at <= bound && (!anchor || stored.status === "anchored");
  const order = { by: "toSeq", direction: "asc" } as const;
  const query = { where: { pruned: false }, order, size: CHECKPOINTS } as const;
  const { rows } = await env.store.forTenant(tenantId).find(checkpoints, query);
  for (const { value: stored } of rows) {
    if (!isDue(stored)) break;
    await giveUp(env, tenantId, stored, now);
  }
  return dropEvents(env, tenantId);
}

/** Moves the start of the chain behind this checkpoint, unless another process was first. */
function giveUp(env: Environment, tenantId: string, { id }: StoredCheckpoint, now: string): Promise<void> {
  return systemContext(env, tenantId, "tick").write(async (ctx) => {
    const stored = (await ctx.db.get(checkpoints, id))?.value;
    if (!stored || stored.prunedAt !== null) return;
    await ctx.update(checkpoints, stored, { prunedAt: now });
    const { fromSeq, toSeq } = stored.checkpoint;
    const data = { entity: CHAIN_ENTITY, checkpointId: id, fromSeq, toSeq };
    await ctx.emit({ type: "audit.pruned", subject: CHAIN_SUBJECT, data });
  });
}

/** Deletes events before the start of the chain, including those that an earlier tick did not reach. */
async function dropEvents(env: Environment, tenantId: string): Promise<number> {
  const ctx = systemContext(env, tenantId, "tick");
  const end = (await chainStart(ctx.db))?.checkpoint.toSeq ?? 0;
  let dropped = 0;
  for (let batch = 0; batch < BATCHES; batch++) {
    const [oldest] = await ctx.db.scanEvents({ size: 1 });
    if (!oldest || oldest.sequence > end) break;
    const upTo = Math.min(oldest.sequence + BATCH - 1, end);
    await ctx.write((inner) => inner.pruneEvents(upTo));
    dropped += upTo - oldest.sequence + 1;
  }
  return dropped;
}
