import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { requireReason } from "#kernel/operation/context.js";
import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { requirePermission } from "#kernel/operation/permission.js";
import { GenericBody } from "#kernel/records/generic-body.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { z } from "#schema/z.js";
import { isApproved } from "./machine.js";
import { isParty } from "./owners/hand-over.js";
import { Asset, assets, ConditionEvidence } from "./schema.js";

const ConditionChange = z
  .strictObject({
    met: z.boolean().meta({ description: "Whether it is met; `false` opens it again." }),
    evidence: ConditionEvidence.optional().meta({ description: "What shows that it is met." }),
    reason: GenericBody.shape.reason,
  })
  .meta({ id: "ApprovalConditionChange", example: { met: true, evidence: { ref: "https://wiki.acme.example/logs" } } });

const Params = ById.extend({
  key: z.string().min(1).max(200).meta({ description: "Key of the condition.", example: "logging" }),
});

export const changeCondition = defineOperation({
  id: "aiAssets.changeCondition",
  method: "PATCH",
  path: "/api/v1/ai-assets/{id}/conditions/{key}",
  tag: "AI Registry",
  summary: "Meet a condition of an approval, or open it again",
  description:
    "The owner or somebody who approves meets it, with evidence. Opening it again takes the permission to approve and a reason.",
  extension: true,
  access: { permission: "ai-governance:review", capability: "ai_registry" },
  params: Params,
  body: ConditionChange,
  success: { status: 200, schema: Asset },
  errors: ["invalid_transition", "missing_reason"],
  async handler(ctx, { params, body: { met, evidence, reason } }) {
    const asset = await ctx.getForUpdate(assets, params.id);
    const condition = asset.conditions.find(({ key }) => key === params.key);
    if (!condition) throw new ReeveError("not_found");
    if (!(met && isParty(asset.owner, ctx.principal.userId)))
      requirePermission(ctx.env, ctx.principal, "ai-governance:approve");
    if (!isApproved(asset.governanceState))
      throw transitionRefused("The approval with this condition does not stand.", { current: asset.governanceState });
    if (met && !evidence) throw invalidProperty("/evidence", "Say what shows that it is met.");
    if (!met) requireReason(reason);
    const change = met
      ? { metAt: ctx.now, metBy: ctx.principal.userId, evidence: evidence ?? null }
      : { metAt: null, metBy: null, evidence: null };
    const changed = { ...condition, ...change };
    const conditions = asset.conditions.map((one) => (one === condition ? changed : one));
    const entity = { type: "ai_asset", id: asset.id, name: asset.name };
    const data = { entity, condition: changed, reason: reason ?? null };
    if (met) {
      const event = { type: "asset.condition.met", data };
      return ctx.update(assets, asset, { conditions }, { event });
    }
    const event = { type: "asset.condition.reopened", data };
    return ctx.update(assets, asset, { conditions }, { event });
  },
});
