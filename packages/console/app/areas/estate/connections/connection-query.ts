import { queryOptions } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";

export const connectionQuery = (id: string) =>
  queryOptions({
    queryKey: recordKey("connector_instance", id),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/connector-instances/{id}", { params: { path: { id } }, signal })).data,
  });
