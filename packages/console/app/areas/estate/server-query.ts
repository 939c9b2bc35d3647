import { queryOptions } from "@tanstack/react-query";
import { client } from "../../api/client.js";
import { recordKey } from "../../api/keys.js";

const readServer = async (id: string) =>
  (await client.GET("/api/v1/ai/mcp-servers/{id}", { params: { path: { id } } })).data;
const readDrift = async (id: string) =>
  (await client.GET("/api/v1/ai/mcp-servers/{id}/drift", { params: { path: { id } } })).data;

export type Drift = Awaited<ReturnType<typeof readDrift>>;

export const serverQuery = (id: string) =>
  queryOptions({ queryKey: recordKey("mcp_server", id), queryFn: () => readServer(id) });

/** How what it offers now differs from what was approved. */
export const driftQuery = (id: string) =>
  queryOptions({ queryKey: recordKey("mcp_server", id, "drift"), queryFn: () => readDrift(id) });
