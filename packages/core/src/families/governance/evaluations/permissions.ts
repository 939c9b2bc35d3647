import { definePermissions, READERS } from "#families/roles.js";

export const evaluationPermissions = definePermissions({
  "ai-evaluation:read": { lets: "See evaluation runs", heldBy: [...READERS, "member"] },
  "ai-evaluation:run": { lets: "Run evaluations, and stop them", heldBy: ["governance_officer", "operator"] },
});
