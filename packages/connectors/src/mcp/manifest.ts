import type { ConnectorContext, Manifest, ToolSpec } from "@reeve/core/connectors";
import { z } from "zod";
import { BaseUrl, HeaderSecret } from "../fields.js";

export const configuration = z.object({
  transport: z.enum(["streamable_http", "sse", "stdio"]).default("streamable_http").meta({
    description: "How the server is reached. Prefer `streamable_http`; `sse` is its predecessor.",
  }),
  url: BaseUrl.optional().meta({
    description: "Address of the server. Not for `stdio`.",
    examples: ["https://mcp.example.com/mcp"],
  }),
  command: z
    .string()
    .regex(/^[A-Za-z][\w.-]{0,63}$/, "The name of a command that the host has registered.")
    .optional()
    .meta({ description: "For `stdio`: the name of a command that the host has registered. Never a command line." }),
  headerName: z
    .string()
    .regex(/^x-[a-z0-9-]{1,60}$/i, "A header whose name begins with `X-`.")
    .optional()
    .meta({ description: "The header that holds `token`. It is sent as a bearer token when absent." }),
});

export const secrets = z.object({
  token: HeaderSecret.optional().meta({ description: "Sent with every request to the server. Not for `stdio`." }),
});

export type Server = ConnectorContext<z.output<typeof configuration>, z.output<typeof secrets>>;

export const manifest: Manifest = {
  providerKey: "mcp",
  interfaceVersion: 1,
  version: "1.0.0",
  displayName: "MCP server",
  category: "mcp",
  description: "Finds an MCP server and its tools, over HTTP or a command that the host has registered.",
  docsUrl: "https://modelcontextprotocol.io/specification",
  capabilities: ["test", "discover", "resources"],
  resourceTypes: [
    {
      type: "tool",
      displayName: "Tool",
      idStability: "immutable",
      profileSource: "static",
      grantableTo: ["agent"],
    },
  ],
  requiredPermissions: [
    { capability: "test", permission: "initialize", why: "A test greets the server and lists its tools." },
    { capability: "discover", permission: "tools/list", why: "It lists the tools." },
    { capability: "resources", permission: "tools/list", why: "It lists the tools." },
  ],
  limitations: [
    "What a server says of itself and of its tools is its own claim, annotations included.",
    "A tool is told by its name: a tool with a new name is a new tool.",
    "MCP has no access lists, so access is neither seen nor granted.",
    "Only tools that the host has opened by name and definition are run through the connector.",
    "A server with more than 512 tools, or 2 MiB of them, is not read.",
    "Servers behind OAuth need a token of your own.",
  ],
  limits: { concurrency: 1, callSeconds: 30 },
};

/** The same for a connector that runs tools: access to them is what Reeve's own door keeps. */
export const manifestWith = (tools: readonly ToolSpec[]): Manifest => ({
  ...manifest,
  description: `${manifest.description} It runs tools that the host has opened.`,
  capabilities: [...manifest.capabilities, "profiles", "grant", "revoke", "verify", "tools"],
  resourceTypes: (manifest.resourceTypes ?? []).map((type) => ({ ...type, profileSource: "per_resource" as const })),
  tools,
  requiredPermissions: [
    ...(manifest.requiredPermissions ?? []),
    { capability: "tools", permission: "tools/call", why: "It calls tools for agents." },
  ],
  limitations: [
    ...(manifest.limitations ?? []).filter((text) => !text.startsWith("MCP has no access lists")),
    "MCP has no access lists. Access is kept by the connection itself, and holds for those who come through Reeve: nobody else may reach the server.",
  ],
  expiry: "managed",
});
