import { subjectOf } from "#kernel/events/record-events.js";
import type { Context } from "#kernel/operation/context.js";
import { ById } from "#kernel/operation/crud.js";
import { defineFourEyes, involvedIn, requireFourEyes } from "#kernel/operation/four-eyes.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { GenericBody } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { lowered } from "./classify-lowering.js";
import { AssetFields } from "./fields.js";
import { assessRisk } from "./rules.js";
import { Asset, assets } from "./schema.js";

export const lowerClass = defineFourEyes(
  "classification: lower",
  "Lowering the risk tier or the data classification of an asset",
);

const { riskTier, dataClassification } = AssetFields.partial().shape;

export const classifyAsset = defineOperation({
  id: "aiAssets.classify",
  method: "PATCH",
  path: "/api/v1/ai-assets/{id}/classification",
  tag: "AI Registry",
  summary: "Say as a reviewer how risky an AI asset is, and why",
  description:
    "Opens no review. Lowering a class takes somebody without a conflict of interest in the asset. A change of these fields by others clears `classified`, and lowering them sends an approved asset back to review.",
  access: { permission: "ai-governance:approve", capability: "ai_registry" },
  extension: true,
  params: ById,
  body: z
    .strictObject({
      riskTier,
      dataClassification,
      reason: GenericBody.shape.reason.unwrap().min(10).meta({ description: "The rationale, which is kept." }),
    })
    .meta({
      id: "AiAssetClassification",
      example: { riskTier: "high", reason: "It ranks applicants for jobs." },
    }),
  success: { status: 200, schema: Asset },
  errors: ["self_approval_forbidden"],
  async handler(ctx, { params, body: { reason, ...given } }) {
    const before = await ctx.getForUpdate(assets, params.id);
    const next = { ...before, ...given };
    if (lowered(before, next).length > 0) await requireOther(ctx, before);
    const classified = { by: ctx.principal.userId, at: ctx.now, rationale: reason };
    // A reviewer does not become involved by the review.
    return ctx.update(assets, before, { ...given, ...assessRisk(next), classified }, { reason, stamp: false });
  },
});

async function requireOther(ctx: Context, asset: Asset): Promise<void> {
  await requireFourEyes(ctx, {
    act: lowerClass.act,
    subject: subjectOf(assets, asset.id),
    name: asset.name,
    involved: involvedIn(asset),
    related: [],
  });
}
