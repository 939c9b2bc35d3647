import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { GenericBody } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { Policy, policies } from "../schema.js";
import { askToActivate } from "./ask.js";
import { confirm, decline } from "./decide.js";

export const decidePolicyChange = defineOperation({
  id: "aiGovernancePolicies.decideChange",
  method: "POST",
  path: "/api/v1/ai-governance/policies/{id}/pending",
  tag: "AI Governance",
  extension: true,
  summary: "Confirm or decline a change of a policy in force that waits",
  description: "Somebody else than who asked for it confirms it, and it is made at once.",
  access: { permission: "ai-policy:activate", capability: "ai_governance" },
  params: ById,
  body: z
    .strictObject({
      decision: z.enum(["confirm", "decline"]).meta({ description: "What is decided." }),
      digest: z.string().max(64).meta({ description: "`pending.digest` of what was seen." }),
      reason: GenericBody.shape.reason,
    })
    .meta({ id: "PolicyChangeDecision", example: { decision: "decline", digest: "0".repeat(64) } }),
  success: { status: 200, schema: Policy },
  errors: [
    "already_exists",
    "invalid_transition",
    "precondition_failed",
    "self_approval_forbidden",
    "transition_guard_failed",
  ],
  async handler(ctx, { params, body: { decision, digest, reason } }) {
    const policy = await ctx.getForUpdate(policies, params.id);
    return decision === "confirm" ? confirm(ctx, policy, digest) : decline(ctx, policy, digest, reason);
  },
});

export const requestPolicyActivation = defineOperation({
  id: "aiGovernancePolicies.requestActivation",
  agents: "request",
  method: "POST",
  path: "/api/v1/ai-governance/policies/{id}/activation-request",
  tag: "AI Governance",
  extension: true,
  summary: "Ask somebody else to put a policy in force",
  description:
    "It waits in `pending` until a four-eyes approver confirms or declines it, and is dropped when what the policy says changes. Its tests must pass already.",
  access: { permission: "ai-policy:write", capability: "ai_governance" },
  params: ById,
  body: z
    .strictObject({ reason: GenericBody.shape.reason })
    .meta({
      id: "PolicyActivationRequest",
      example: { reason: "Two weeks of observation have found nothing unexpected." },
    })
    .optional(),
  success: { status: 200, schema: Policy },
  errors: ["invalid_transition", "transition_guard_failed"],
  handler: async (ctx, { params, body }) =>
    askToActivate(ctx, await ctx.getForUpdate(policies, params.id), body?.reason),
});
