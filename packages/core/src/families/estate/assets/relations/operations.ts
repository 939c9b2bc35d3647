import { ById } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { Page } from "#kernel/records/outcome.js";
import { z } from "#schema/z.js";
import { isIdOf } from "#store/collection.js";
import { RELATION_TYPES } from "../asset-terms.js";
import { assets } from "../schema.js";
import { type AssetLink, assetLinks } from "./links.js";

const { sourceId: _source, targetId: _target, ...filters } = assetLinks.filters;

const RelationQuery = listQuery({ ...assetLinks, filters }, undefined, {
  direction: z
    .enum(["outgoing", "incoming"])
    .optional()
    .meta({ description: "`outgoing` (default): what this asset points to. `incoming`: what points to it." }),
});

export const AssetRelation = z
  .object({
    type: z.enum(RELATION_TYPES).meta({ description: "How the first relates to the second." }),
    sourceId: z.string().meta({ description: "Id of the asset it starts from." }),
    targetId: z.string().meta({ description: "Id of the asset it leads to." }),
    declaredBy: z.string().meta({ description: "The asset or record that says so." }),
    name: z.string().nullable().meta({ description: "Name of the asset at the other end." }),
    dangling: z.boolean().meta({ description: "There is no asset of this tenant at the other end." }),
  })
  .meta({ id: "AssetRelation" });

export const listRelations = defineOperation({
  id: "aiAssets.listRelations",
  method: "GET",
  path: "/api/v1/ai-assets/{id}/relations",
  tag: "AI Registry",
  summary: "List the relations of an AI asset in one direction",
  access: { permission: "ai-asset:read", capability: "ai_registry" },
  extension: true,
  params: ById,
  query: RelationQuery,
  success: { status: 200, schema: pageOf(AssetRelation) },
  async handler(ctx, { params, query: { direction = "outgoing", ...page } }) {
    const { id } = await ctx.getOrThrow(assets, params.id);
    const end = direction === "outgoing" ? "sourceId" : "targetId";
    const listed = await ctx.page(assetLinks, page, { where: { [end]: id } });
    const links = JSON.parse(listed.items) as AssetLink[];
    const otherEnd = (link: AssetLink) => (direction === "outgoing" ? link.targetId : link.sourceId);
    const ids = [...new Set(links.map(otherEnd))].filter((other) => isIdOf(assets, other));
    const names = new Map((await ctx.db.getMany(assets, ids)).map((row) => [row.id, row.value.name]));
    const items = links.map((link) => {
      const { type, sourceId, targetId, declaredBy } = link;
      const name = names.get(otherEnd(link)) ?? null;
      return { type, sourceId, targetId, declaredBy, name, dangling: name === null };
    });
    return new Page(JSON.stringify(items), listed.page, listed.size, listed.total, listed.nextCursor);
  },
});
