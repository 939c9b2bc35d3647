import { definePermissions } from "#families/roles.js";

export const usagePermissions = definePermissions({
  "access-usage:export": { lets: "Export uses of access", heldBy: ["governance_officer", "auditor"] },
});
