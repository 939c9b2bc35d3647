import { definePermissions, READERS } from "#families/roles.js";

export const policyPermissions = definePermissions({
  "ai-policy:read": { lets: "See policies, check and test them", heldBy: [...READERS, "member"] },
  "ai-policy:write": { lets: "Write and change policies, install packs of them", heldBy: ["governance_officer"] },
  "ai-policy:delete": { lets: "Delete policies that are drafts or archived", heldBy: ["governance_officer"] },
  "ai-policy:activate": {
    lets: "Put policies under observation, in force and out of it",
    heldBy: ["governance_officer"],
    peopleOnly: true,
  },
});
