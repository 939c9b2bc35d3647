import type { ConnectorContext, Manifest } from "@reeve/core/connectors";
import { z } from "zod";
import { BaseUrl, HeaderSecret, Words } from "../fields.js";

export const configuration = z.object({
  baseUrl: BaseUrl.meta({
    description: "Address of the registry, without the version of its interface.",
    examples: ["https://registry.modelcontextprotocol.io"],
  }),
  apiVersion: z.enum(["v0.1", "v0"]).default("v0.1").meta({
    description: "Version of the published interface: `v0.1` is frozen, `v0` may change.",
  }),
  search: Words(200)
    .optional()
    .meta({
      description: "Only servers whose name contains this.",
      examples: ["com.example/"],
    }),
});

export const secrets = z.object({
  token: HeaderSecret.optional().meta({ description: "Sent as a bearer token. Public registries need none." }),
});

export type Registry = ConnectorContext<z.output<typeof configuration>, z.output<typeof secrets>>;

export const manifest: Manifest = {
  providerKey: "mcp-registry",
  interfaceVersion: 1,
  version: "1.0.0",
  displayName: "MCP registry",
  category: "mcp",
  description: "Finds the MCP servers of any registry that has the published interface, public or your own.",
  docsUrl: "https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/api/generic-registry-api.md",
  capabilities: ["test", "discover"],
  requiredPermissions: [
    { capability: "test", permission: "GET /v0.1/servers", why: "A test reads the first server." },
    { capability: "discover", permission: "GET /v0.1/servers", why: "It lists the servers." },
  ],
  limitations: [
    "It reads what publishers say of their servers. No server is called.",
    "Only the latest version of a server is found; deleted ones are left out.",
    "Addresses with variables, or with credentials in them, are not taken over as the address of a server.",
    "A server whose entry has not the published shape is rejected with its reason.",
  ],
  limits: { callSeconds: 30 },
};
