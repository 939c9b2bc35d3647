import { subjectOf } from "#kernel/events/record-events.js";
import type { Context } from "#kernel/operation/context.js";
import {
  defineFourEyes,
  type FourEyesPlace,
  involvedIn,
  type Matter,
  requireFourEyes,
} from "#kernel/operation/four-eyes.js";
import { requirePermission } from "#kernel/operation/permission.js";
import { NONE_INVOLVED } from "#kernel/records/involved.js";
import { holdsBack } from "../fields.js";
import { policyStatus } from "../machine.js";
import { type Policy, policies } from "../schema.js";

export const activatePolicy = defineFourEyes(
  "policy: activate",
  "Putting a policy in force that gates promotions, denies actions or has them approved",
);

/** Moves a policy. One that holds anything back is put in force by somebody who has not written or changed it. */
export async function movePolicy(
  ctx: Context,
  policy: Policy,
  status: string | undefined,
  reason: string | undefined,
): Promise<Policy> {
  if (status === undefined || status === policy.status) return policy;
  if (status !== "active" || !holdsBack(policy))
    return ctx.transition(policies, policyStatus, policy, { to: status }, { reason, patch: { pending: null } });
  requirePermission(ctx.env, ctx.principal, "ai-policy:activate");
  const taken = await takenBySecond(ctx, policy, activatePolicy);
  return ctx.transition(policies, policyStatus, policy, { to: status }, { reason, patch: taken });
}

/** 403 with a conflict of interest. The fields that tell of a decision by somebody else. */
export async function takenBySecond(
  ctx: Context,
  policy: Policy,
  place: FourEyesPlace,
  involved: Matter["involved"] = involvedIn(policy),
): Promise<Pick<Policy, "involved" | "relatedParty" | "pending">> {
  const subject = subjectOf(policies, policy.id);
  const matter = { act: place.act, subject, name: policy.name, involved, related: [] };
  return { involved: NONE_INVOLVED, relatedParty: await requireFourEyes(ctx, matter), pending: null };
}
