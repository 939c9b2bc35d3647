import { filterQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { estateGraphOf, MOST_LINKS, MOST_NODES } from "./asset-graph.js";
import { RELATION_TYPES } from "./asset-terms.js";
import { Asset, assets } from "./schema.js";

const { id, name, assetType, provider, environment, status, governanceState, riskTier } = Asset.shape;
const { team, openFindings } = Asset.shape;

const GraphNode = z
  .object({
    ...{ id, name, assetType, provider, environment, status, governanceState, riskTier, team, openFindings },
    stop: z.string().nullable().meta({
      description: "The kill switch or halt that stops it whatever its states are; `null`: none.",
      example: "halt:team:hlt_01JD3Z6T5W8Y9X7V4R2Q1P0N6M",
    }),
    relationsElsewhere: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: "Its relations with assets that are not shown here; `null`: more than are read." }),
  })
  .meta({ id: "AiAssetNode" });

const GraphEdge = z
  .object({
    type: z.enum(RELATION_TYPES).meta({ description: "How one relates to the other." }),
    sourceId: z.string().meta({ description: "Id of the asset shown that it leads from." }),
    targetId: z.string().meta({ description: "Id of the asset shown that it leads to." }),
  })
  .meta({ id: "AiAssetEdge" });

const AssetGraph = z
  .object({
    asOf: Time.meta({ description: "The moment it is about." }),
    items: z.array(GraphNode).max(MOST_NODES).meta({ description: "The assets that fit, newest first." }),
    edges: z.array(GraphEdge).meta({ description: "The relations between them." }),
    totalAssets: z.int().min(0).meta({ description: "How many assets fit." }),
    totalRelation: z
      .enum(["exact", "atLeast"])
      .meta({ description: "`atLeast`: counting stopped at its bound, and there may be more." }),
    complete: z.boolean().meta({ description: "Whether these are all assets that fit." }),
    relationsComplete: z.boolean().meta({ description: "Whether these are all relations between them." }),
  })
  .meta({ id: "AiAssetGraph" });

export const readGraph = defineOperation({
  id: "aiAssets.graph",
  method: "GET",
  path: "/api/v1/ai-assets/graph",
  tag: "AI Registry",
  summary: "Show AI assets and the relations between them as one graph",
  description: `The newest ${MOST_NODES} assets that fit the filters of the list, and up to ${MOST_LINKS} relations of each in each direction. What is left out is said.`,
  access: { permission: "ai-asset:read", capability: "ai_registry" },
  extension: true,
  query: filterQuery(assets, "name, description, external id, labels or metadata"),
  success: { status: 200, schema: AssetGraph },
  handler: (ctx, { query }) => estateGraphOf(ctx, query),
});
