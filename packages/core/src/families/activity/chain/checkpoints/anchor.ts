import { optionsOf } from "#families/options.js";
import { inTime } from "#kernel/async/in-time.js";
import type { Environment } from "#kernel/config/environment.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { checkpoints, type StoredCheckpoint } from "../schema.js";
import { ignoreStale, postponedFrom } from "./postpone.js";

/** The most checkpoints delivered for one tenant in one tick. */
const AT_ONCE = 100;

/**
 * Passes pending checkpoints to the host's anchor, in order. Returns how many it accepted. Each is delivered at least
 * once. A failure blocks the later ones and is retried without limit, with growing pauses.
 */
export async function anchorCheckpoints(env: Environment, tenantId: string, now: string): Promise<number> {
  const { anchor } = optionsOf(env);
  if (!anchor) return 0;
  const ctx = systemContext(env, tenantId, "tick");
  const order = { by: "toSeq", direction: "asc" } as const;
  const open = await ctx.db.find(checkpoints, { where: { status: "open" }, order, size: AT_ONCE });
  let taken = 0;
  for (const { value: stored } of open.rows) {
    if (stored.nextAttemptAt > now) break;
    const failure = await failureOf(() => inTime(env.options.hostCallTimeoutMs, () => anchor(stored.checkpoint)));
    const settled: Partial<StoredCheckpoint> =
      failure === undefined ? { status: "anchored", anchoredAt: now } : postponed(stored, now);
    // Another process may have delivered it at the same time: at least once is allowed.
    await ctx.write((inner) => inner.update(checkpoints, stored, settled)).catch(ignoreStale);
    if (failure !== undefined) {
      env.logger.warn({ checkpoint: stored.id, error: String(failure) }, "anchoring a checkpoint failed");
      return taken;
    }
    taken += 1;
  }
  return taken;
}

function postponed(stored: StoredCheckpoint, now: string): Partial<StoredCheckpoint> {
  const { attempts, next: nextAttemptAt } = postponedFrom(stored.attempts, now);
  return { attempts, nextAttemptAt };
}

async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error ?? new Error("no reason given");
  }
}
