import { definePermissions, READERS } from "#families/roles.js";

export const toolPermissions = definePermissions({
  "ai-tool:read": { lets: "See AI tools", heldBy: [...READERS, "member"] },
  "ai-tool:write": { lets: "Register and change AI tools", heldBy: ["operator", "member"] },
  "ai-tool:delete": { lets: "Delete AI tools and their assets", heldBy: ["operator"] },
  "ai-tool:approve": {
    lets: "Approve, block and unblock tools, and say what their effects are",
    heldBy: ["governance_officer", "approver"],
    peopleOnly: true,
  },
});
