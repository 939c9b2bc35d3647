import { queryOptions } from "@tanstack/react-query";
import { client } from "../../../api/client.js";

/** The roles that people can have, and what each permits. They change with the installation only. */
export const rolesQuery = queryOptions({
  queryKey: ["role", "list"],
  queryFn: async ({ signal }) => (await client.GET("/api/v1/roles", { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
});
