import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { z } from "#schema/z.js";
import { RELATION_TYPES } from "../asset-terms.js";
import { assets } from "../schema.js";
import { impactOf } from "./impact.js";

const Affected = z.object({
  id: z.string().meta({ description: "Id of the asset." }),
  name: z.string().meta({ description: "The name of the asset." }),
  assetType: z.string().meta({ description: "What kind of thing it is." }),
  status: z.string().meta({ description: "Lifecycle state of the asset." }),
  relation: z.enum(RELATION_TYPES).meta({ description: "How it relates to what it uses." }),
  usedId: z.string().meta({ description: "What it uses: this asset, or one listed before." }),
  distance: z.int().min(1).meta({ description: "Steps from this asset." }),
  stops: z.boolean().meta({ description: "It may not be used when this asset may not." }),
});

const AssetImpact = z
  .object({
    items: z.array(Affected).meta({ description: "The affected assets, nearest first." }),
    complete: z.boolean().meta({ description: "Whether these are all." }),
  })
  .meta({ id: "AiAssetImpact" });

export const readImpact = defineOperation({
  id: "aiAssets.impact",
  method: "GET",
  path: "/api/v1/ai-assets/{id}/impact",
  tag: "AI Registry",
  summary: "Tell who uses an AI asset and what would stop with it",
  description: "Follows relations up to ten steps and lists up to 500 assets that are not retired.",
  access: { permission: "ai-asset:read", capability: "ai_registry" },
  extension: true,
  params: ById,
  success: { status: 200, schema: AssetImpact },
  async handler(ctx, { params }) {
    const { affected, complete } = await impactOf(ctx, await ctx.getOrThrow(assets, params.id));
    const items = affected.map(({ asset: { id, name, assetType, status }, relation, usedId, distance, stops }) => ({
      ...{ id, name, assetType, status },
      ...{ relation, usedId, distance, stops },
    }));
    return { items, complete };
  },
});
