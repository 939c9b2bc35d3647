import { accessUses, settleUses, windowStart } from "#families/access-drift/index.js";
import { optionsOf } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { NEVER } from "#kernel/operation/dues.js";
import { applyDueTimeTransitions } from "#kernel/operation/time-transitions.js";
import { dropKeys, endStopped, endToken } from "./end-token.js";
import { agentToolCalls, agentToolTokens } from "./schema.js";

/** Ends tokens, settles calls that nobody has finished, and deletes what is over. Returns how much it did. */
export async function runAgentToolJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  const ended = await applyDueTimeTransitions(env, agentToolTokens, tenantId, now);
  const stopped = await endStopped(env, tenantId);
  const lost = await forEachDue(env, accessUses, { by: "lostAt", through: now }, tenantId, async (ctx, use) => {
    await settleUses(ctx, [await ctx.update(accessUses, use, { outcome: "unknown" }, { event: false })]);
  });
  const calls = await forEachDue(env, agentToolCalls, { by: "expiresAt", before: now }, tenantId, (ctx, call) =>
    ctx.remove(agentToolCalls, call, { event: false }),
  );
  return ended + stopped + lost + calls + (await dropKeys(env, tenantId, now)) + (await dropTokens(env, tenantId));
}

/** Deletes tokens that are over for longer than events are kept. */
async function dropTokens(env: Environment, tenantId: string): Promise<number> {
  const days = optionsOf(env).activityRetentionDays;
  if (days === undefined) return 0;
  const before = windowStart(env.clock.now(), days);
  return forEachDue(env, agentToolTokens, { by: "expiresAt", before }, tenantId, (ctx, token) =>
    ctx.remove(agentToolTokens, token, { event: false }),
  );
}

/** Ends tokens that a restored backup has brought back. Returns how many. */
export function endRestoredTokens(env: Environment, tenantId: string): Promise<number> {
  return forEachDue(env, agentToolTokens, { by: "endsAt", before: NEVER }, tenantId, (ctx, token) =>
    endToken(ctx, token, "A backup was restored."),
  );
}
