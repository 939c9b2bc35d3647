import { queryOptions } from "@tanstack/react-query";
import { client } from "../../api/client.js";
import { recordKey } from "../../api/keys.js";

const params = (id: string) => ({ path: { id } });

export const assetQuery = (id: string) =>
  queryOptions({
    queryKey: recordKey("ai_asset", id),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/ai-assets/{id}", { params: params(id), signal })).data,
  });

/** Whether it may be used now, and what it falls with. */
export const effectiveQuery = (id: string) =>
  queryOptions({
    queryKey: recordKey("ai_asset", id, "effective"),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai-assets/{id}/effective", { params: params(id), signal })).data,
  });

export const relationsQuery = (id: string) =>
  queryOptions({
    queryKey: recordKey("ai_asset", id, "relations"),
    queryFn: async ({ signal }) => {
      const query = { size: 100 };
      return (await client.GET("/api/v1/ai-assets/{id}/relations", { params: { path: { id }, query }, signal })).data;
    },
  });

/** What would stop with it. */
export const impactQuery = (id: string) =>
  queryOptions({
    queryKey: recordKey("ai_asset", id, "impact"),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai-assets/{id}/impact", { params: params(id), signal })).data,
  });
