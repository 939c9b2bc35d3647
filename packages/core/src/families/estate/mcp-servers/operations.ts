import { recordOperations } from "../records/operations.js";
import { mcpServerKind } from "./record/kind.js";
import { McpServer } from "./schema.js";

export const mcpServerOperations = recordOperations({
  kind: mcpServerKind,
  schema: McpServer,
  id: "mcpServers",
  agents: "propose",
  tag: "MCP Registry",
  path: "/api/v1/ai/mcp-servers",
  one: "MCP server",
  many: "MCP servers",
  searched: "name, description, URL or registry name",
  example: { name: "Orders", url: "https://mcp.example/", healthCheck: { enabled: false } },
});
