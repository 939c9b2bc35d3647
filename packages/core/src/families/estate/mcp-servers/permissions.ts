import { definePermissions, READERS } from "#families/roles.js";

export const mcpServerPermissions = definePermissions({
  "mcp-server:read": { lets: "See MCP servers", heldBy: [...READERS, "member"] },
  "mcp-server:write": { lets: "Register and change MCP servers and their credentials", heldBy: ["operator"] },
  "mcp-server:delete": { lets: "Delete MCP servers and their assets", heldBy: ["operator"] },
  "mcp-server:scan": {
    lets: "Have MCP servers probed and scanned",
    heldBy: ["governance_officer", "approver", "operator"],
  },
});
