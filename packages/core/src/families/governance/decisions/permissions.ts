import { definePermissions, READERS } from "#families/roles.js";

export const decisionPermissions = definePermissions({
  "ai-decision:evaluate": {
    lets: "Ask whether somebody may do something, and use approvals for it",
    heldBy: ["governance_officer", "operator"],
  },
  "ai-approval:read": { lets: "See requests for approval of single actions", heldBy: READERS },
  "ai-approval:decide": {
    lets: "Approve and reject single actions of others",
    heldBy: ["governance_officer", "approver"],
    peopleOnly: true,
  },
});
