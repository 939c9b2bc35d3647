import { definePermissions } from "#families/roles.js";

export const profilePermissions = definePermissions({
  "access-profile:curate": {
    lets: "Approve kinds of access, and take them out of use",
    heldBy: ["governance_officer"],
    peopleOnly: true,
  },
});
