import { definePermissions, READERS } from "#families/roles.js";

export const policyPermissions = definePermissions({
  "access-policy:read": { lets: "See who approves which access", heldBy: [...READERS, "member"] },
  "access-policy:write": {
    lets: "Say who approves which access, what needs no approval and what conflicts",
    heldBy: ["governance_officer"],
    peopleOnly: true,
  },
});
