import { queryOptions } from "@tanstack/react-query";
import { client, type components } from "../../../api/client.js";
import { figureKey } from "../../../api/keys.js";

export type AssetGraph = components["schemas"]["AiAssetGraph"];
export type GraphNode = components["schemas"]["AiAssetNode"];
export type GraphEdge = components["schemas"]["AiAssetEdge"];

type Query = Parameters<typeof client.GET<"/api/v1/ai-assets/graph">>[1];

/** The assets that fit filters, and the relations between them. */
export const graphQuery = (query: NonNullable<NonNullable<NonNullable<Query>["params"]>["query"]>) =>
  queryOptions({
    queryKey: figureKey("graph", ["ai_asset", "ai_halt"], query),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/ai-assets/graph", { params: { query }, signal })).data,
    placeholderData: (before) => before,
  });
