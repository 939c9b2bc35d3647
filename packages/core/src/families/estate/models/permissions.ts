import { definePermissions, READERS } from "#families/roles.js";

export const modelPermissions = definePermissions({
  "ai-model:read": { lets: "See AI models", heldBy: [...READERS, "member"] },
  "ai-model:write": { lets: "Register and change AI models", heldBy: ["operator", "member"] },
  "ai-model:delete": { lets: "Delete AI models and their assets", heldBy: ["operator"] },
});
