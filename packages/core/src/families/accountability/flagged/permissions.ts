import { definePermissions, READERS } from "#families/roles.js";

export const flaggedDecisionPermissions = definePermissions({
  "ai-flagged-decision:read": { lets: "See decisions by people related to who asked", heldBy: [...READERS] },
});
