import { definePermissions, READERS } from "#families/roles.js";

export const findingPermissions = definePermissions({
  "ai-finding:read": { lets: "See findings and what was decided about them", heldBy: [...READERS, "member"] },
  "ai-finding:review": {
    lets: "Acknowledge, assign, work on, reopen and comment on findings",
    heldBy: ["governance_officer", "approver", "operator"],
  },
  "ai-finding:dismiss": {
    lets: "Dismiss findings and override their severity",
    heldBy: ["governance_officer", "approver"],
    peopleOnly: true,
  },
});
