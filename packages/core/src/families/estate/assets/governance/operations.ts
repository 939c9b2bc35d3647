import { z } from "zod";
import { ReeveError } from "../../../../kernel/http/errors.js";
import { ById } from "../../../../kernel/operation/crud.js";
import { defineOperation } from "../../../../kernel/operation/operation.js";
import { GenericBody } from "../../../../kernel/records/generic-body.js";
import { statesOf } from "../../../../kernel/records/machine.js";
import { oneOf } from "../../../../kernel/records/open-body.js";
import { EndTime, Time } from "../../../../kernel/records/record.js";
import { effectiveNow } from "../effective/effective.js";
import { type GovernanceDecision, moveGovernance } from "../lifecycle/moves.js";
import { governanceState } from "../machine.js";
import { requireStatus } from "../operations.js";
import { Asset, assets, Conditions } from "../schema.js";

const Decision = z.strictObject({
  approvedUntil: EndTime.nullable().optional().meta({ description: "From then on the approval is over." }),
  conditions: Conditions.optional().meta({ description: "What a conditional approval asks for." }),
});

const { reason, metadata } = GenericBody.shape;

const GovernanceChange = z
  .strictObject({
    status: oneOf(statesOf(governanceState)),
    reason,
    metadata,
    configuration: Decision.optional().meta({ description: "What belongs to the decision." }),
  })
  .meta({ id: "AiAssetGovernanceChange", example: { status: "under_review" } });

export const patchGovernanceState = defineOperation({
  id: "aiAssets.changeGovernanceState",
  method: "PATCH",
  path: "/api/v1/ai-assets/{id}/governance-state",
  tag: "AI Registry",
  summary: "Ask for, give, refuse or withdraw the approval of an AI asset",
  description:
    "`status` names the governance state. `configuration` may hold `approvedUntil` and, for a conditional approval, `conditions`. Whoever asked for the review or owns the asset cannot approve it.",
  access: { permission: "ai-governance:review", capability: "ai_registry" },
  params: ById,
  body: GovernanceChange,
  success: { status: 200, schema: Asset },
  errors: ["invalid_transition", "transition_guard_failed", "missing_reason", "self_approval_forbidden"],
  async handler(ctx, { params, body }) {
    const asset = await ctx.getForUpdate(assets, params.id);
    const to = requireStatus(body);
    const decision = checkDecision(body.configuration ?? {}, to, ctx.now);
    return moveGovernance(ctx, asset, to, body, decision);
  },
});

function checkDecision(decision: GovernanceDecision, to: string, now: string): GovernanceDecision {
  const problem = (pointer: string, message: string) =>
    new ReeveError("invalid_request", message, { errors: [{ pointer, code: "invalid_request", message }] });
  const { approvedUntil, conditions } = decision;
  if (approvedUntil && approvedUntil <= now) throw problem("/configuration/approvedUntil", "Must lie in the future.");
  if (to === "conditionally_approved" && !conditions)
    throw problem("/configuration/conditions", "A conditional approval names its conditions.");
  return decision;
}

export const EffectiveDecision = z
  .object({
    decision: z.enum(["allow", "warn", "deny"]).meta({ description: "Whether it may be used now." }),
    reasons: z.array(z.string()).meta({ description: "What the decision rests on." }),
    asOf: Time.meta({ description: "The moment it is about." }),
  })
  .meta({ id: "EffectiveDecision" });

export const readEffective = defineOperation({
  id: "aiAssets.effective",
  method: "GET",
  path: "/api/v1/ai-assets/{id}/effective",
  tag: "AI Registry",
  summary: "Tell whether an AI asset may be used right now, and why",
  access: { permission: "ai-asset:read", capability: "ai_registry" },
  extension: true,
  params: ById,
  success: { status: 200, schema: EffectiveDecision },
  async handler(ctx, { params }) {
    const asset = await ctx.getOrThrow(assets, params.id);
    const { reasons, ...rest } = await effectiveNow(ctx, asset);
    return { ...rest, reasons: [...reasons] };
  },
});
