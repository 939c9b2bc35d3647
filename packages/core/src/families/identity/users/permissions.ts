import { definePermissions } from "#families/roles.js";

export const userPermissions = definePermissions({
  "user:read": { lets: "See users of the tenant", heldBy: ["governance_officer", "auditor", "provider_admin"] },
  "user:write": { lets: "Create, change, disable and remove users", heldBy: ["provider_admin"], peopleOnly: true },
});
