import { definePermissions, READERS } from "#families/roles.js";

export const haltPermissions = definePermissions({
  "ai-halt:read": { lets: "See halts", heldBy: [...READERS, "member"] },
  "ai-halt:start": {
    lets: "Halt all agents, those of a team, or an MCP server",
    heldBy: ["governance_officer"],
    peopleOnly: true,
  },
  "ai-halt:lift": { lets: "Lift halts", heldBy: ["governance_officer"], peopleOnly: true },
});
