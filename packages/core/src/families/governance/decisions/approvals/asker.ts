import type { Context } from "#kernel/operation/context.js";
import { isSame } from "#kernel/records/is-same.js";
import { decisionApprovalStatus } from "./machine.js";
import { type DecisionApproval, decisionApprovals } from "./schema.js";
import { NARROWEST } from "./scope.js";

/** More that whoever asks may say of a request while it waits. */
export interface AskedFurther {
  readonly justification: string | undefined;
  /** Until when it is wanted. Whoever approves says how far it then reaches. */
  readonly until: string | undefined;
}

/** Adds to a request that waits. Any other is left as it is. */
export async function askFurther(
  ctx: Context,
  approval: DecisionApproval,
  { justification, until }: AskedFurther,
): Promise<DecisionApproval> {
  if (approval.status !== "requested") return approval;
  const { requestedScope: asked } = approval;
  const requestedScope =
    until === undefined ? asked : { ...asked, uses: isSame(asked, NARROWEST) ? null : asked.uses, until };
  return ctx.update(decisionApprovals, approval, {
    requestedScope,
    justification: justification ?? approval.justification,
  });
}

/** Takes back a request that waits. 409 for any other. */
export function cancelApproval(
  ctx: Context,
  approval: DecisionApproval,
  reason: string | undefined,
): Promise<DecisionApproval> {
  const patch = { withdrawnBy: ctx.principal.userId, withdrawnAt: ctx.now };
  return ctx.transition(decisionApprovals, decisionApprovalStatus, approval, { event: "cancel" }, { reason, patch });
}
