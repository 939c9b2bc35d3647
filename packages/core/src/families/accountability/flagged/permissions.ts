import { definePermissions, READERS } from "../../roles.js";

export const flaggedDecisionPermissions = definePermissions({
  "ai-flagged-decision:read": { lets: "See decisions by people related to who asked", heldBy: [...READERS] },
});
