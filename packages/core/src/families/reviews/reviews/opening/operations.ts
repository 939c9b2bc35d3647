import { type Asset, assets } from "#families/estate/index.js";
import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { namesOf, readableTo } from "../../names/queries.js";
import { visibleReview } from "../queries.js";
import { kindOf } from "../review-kinds.js";
import { type Review, reviews } from "../schema.js";
import { factsOf } from "./asset-facts.js";
import { requestOf } from "./request.js";
import { type AssetOpening, ReviewOpening } from "./schema.js";

export const readOpening = defineOperation({
  id: "reviews.opening",
  method: "GET",
  path: "/api/v1/reviews/{id}/opening",
  tag: "Reviews",
  extension: true,
  summary: "Tell what a person has to know before deciding what waits",
  description:
    "Who asks, when and why; of an asset what it uses by name, its open findings, whether it may be used now, and whether it might once approved.",
  access: { permission: "review:read" },
  params: ById,
  success: { status: 200, schema: ReviewOpening },
  async handler(ctx, { params }) {
    const review = await visibleReview(ctx, await ctx.getOrThrow(reviews, params.id));
    const { by, at, reason, known } = await requestOf(ctx, review, kindOf(review));
    const [requestedBy = null] = by === null ? [] : await namesOf(ctx, [by], { people: true });
    return { requestedBy, requestedAt: at, reason, requestKnown: known, asset: await assetOf(ctx, review) };
  },
});

const UNKNOWN: Omit<AssetOpening, "id" | "hidden"> = {
  ...{ name: null, assetType: null, uses: [], usesComplete: false, openFindings: null },
  ...{ now: null, approved: null, stops: null, stopsComplete: false },
};

async function assetOf(ctx: ReadContext, { kind, assetId }: Review): Promise<AssetOpening | null> {
  if (assetId === null) return null;
  if (!readableTo(ctx)(assets.resource?.type ?? "")) return { ...UNKNOWN, id: assetId, hidden: true };
  const row = await ctx.db.get(assets, assetId);
  if (!row) return { ...UNKNOWN, id: assetId, hidden: false };
  const asset: Asset = ctx.derived(assets, row);
  return factsOf(ctx, asset, kind === "asset_review");
}
