import { type AccessReconciliation, accessReconciliations } from "#families/access-grants/index.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { accessDriftStatus } from "./machine.js";
import { endDrift } from "./note-drift.js";
import { isAskable } from "./rules.js";
import { type AccessDrift, accessDrift } from "./schema.js";

/** Differences of one grant, one of each kind at most. */
const MOST = 20;
/** Failed attempts after which a repair counts as failed, though it goes on. */
const ATTEMPTS = 5;

/**
 * Differences end when the target has the grant as it is wanted, and repairs fail when it refuses, in the transaction
 * that stores it.
 */
export const followReconciliations = defineFollower(accessReconciliations, async (ctx, { before, after }) => {
  if (!before || !after) return;
  const isIdle = after.phase === "idle" && before.phase !== "idle";
  const isSettled = isIdle && after.failure === null && after.targetState === after.wanted;
  const isStuck = hasFailed(after) && !hasFailed(before);
  if (!isSettled && !isStuck) return;
  const { rows } = await ctx.db.find(accessDrift, { where: { standingOn: after.grantKey }, size: MOST });
  for (const row of rows) {
    const one = await ctx.current(accessDrift, row);
    const isRenewed = one.kind === "expiry_mismatch" && one.status === "repairing";
    if (isSettled && (isAskable(one.kind) || isRenewed)) await endDrift(ctx, one);
    else if (isStuck && one.status === "repairing") await failRepair(ctx, one, after);
  }
});

/** Whether a change has failed for the moment, or was given up. */
const hasFailed = ({ failure, attempts, phase }: AccessReconciliation) =>
  failure !== null && (phase === "parked" || phase === "idle" || attempts >= ATTEMPTS);

function failRepair(ctx: Context, one: AccessDrift, { failure }: AccessReconciliation): Promise<AccessDrift> {
  const options = { triggeredBy: "connector", ...(failure ? { reason: failure.message } : {}) } as const;
  return ctx.transition(accessDrift, accessDriftStatus, one, { event: "fail_repair" }, options);
}
