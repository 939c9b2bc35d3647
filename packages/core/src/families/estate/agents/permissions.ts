import { definePermissions, READERS } from "#families/roles.js";

export const agentPermissions = definePermissions({
  "ai-agent:read": { lets: "See AI agents", heldBy: [...READERS, "member"] },
  "ai-agent:write": { lets: "Register and change AI agents", heldBy: ["operator", "member"] },
  "ai-agent:delete": { lets: "Delete AI agents and their assets", heldBy: ["operator"] },
});
