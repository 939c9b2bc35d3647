import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { ControlPlane } from "../../src/index.js";

export type Era = "modern" | "legacy";
export const ERAS: readonly Era[] = ["modern", "legacy"];

/** A client of the official library in one era, connected to the control plane without a network. */
export async function connected(plane: ControlPlane, token: string, era: Era): Promise<Client> {
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL("https://reeve.example/mcp"), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (url, init) => (await plane.fetch(new Request(url, init))) ?? new Response(null, { status: 404 }),
  });
  await client.connect(transport);
  return client;
}
