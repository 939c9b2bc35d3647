import { queryOptions } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { SWITCHES } from "../terms.js";

/** A page of the kill switches: those for the platform, and those for single tenants and assets that are engaged. */
export const switchesQuery = (page = 0) =>
  queryOptions({
    queryKey: [...SWITCHES, page],
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/support/kill-switches", { params: { query: { page, size: 100 } }, signal })).data,
  });

/** Moves a switch, as it was on the screen. */
export const moveSwitch = (
  one: { readonly id: string; readonly version?: number },
  status: "engaged" | "released",
  why: { readonly reason?: string },
) =>
  client.POST("/api/v1/support/kill-switches/{key}", {
    params: { path: { key: one.id } },
    ...(one.version === undefined ? {} : { ifMatch: { version: one.version } }),
    body: { status, ...why },
  });
