import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { GenericBody } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { oneOf } from "#kernel/records/open-body.js";
import { EndTime } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { checkTerms } from "./decision-terms.js";
import { moveGovernance } from "./governance-moves.js";
import { governanceState } from "./machine.js";
import { requireStatus } from "./register/status.js";
import { Asset, assets, Conditions } from "./schema.js";

const Decision = z.strictObject({
  approvedUntil: EndTime.nullable().optional().meta({ description: "From then on the approval is over." }),
  conditions: Conditions.optional().meta({ description: "What a conditional approval asks for." }),
  keepUntil: EndTime.nullable()
    .optional()
    .meta({ description: "With `under_review`: until when the present approval stands; `null` takes that back." }),
  ticketRef: z.string().min(1).max(500).optional().meta({ description: "Where it is discussed." }),
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
  stops: true,
  method: "PATCH",
  path: "/api/v1/ai-assets/{id}/governance-state",
  tag: "AI Registry",
  summary: "Ask for, give, refuse or withdraw the approval of an AI asset",
  description:
    "`status` names the governance state. An approval that stands is renewed by approving it again, also with another `approvedUntil`, and stands while it is reviewed with `keepUntil`. Whoever asked for the review or owns the asset cannot approve it. What was suspended or rejected stays denied in its review, and `unreviewed` returns it there.",
  access: { permission: "ai-governance:review", capability: "ai_registry" },
  params: ById,
  body: GovernanceChange,
  success: { status: 200, schema: Asset },
  errors: ["invalid_transition", "transition_guard_failed", "missing_reason", "self_approval_forbidden"],
  async handler(ctx, { params, body }) {
    const asset = await ctx.getForUpdate(assets, params.id);
    const to = requireStatus(body);
    return moveGovernance(ctx, asset, to, body, checkTerms(asset, body.configuration ?? {}, to, ctx.now));
  },
});
