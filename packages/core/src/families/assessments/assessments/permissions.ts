import { definePermissions, READERS } from "#families/roles.js";

export const assessmentPermissions = definePermissions({
  "ai-assessment:read": { lets: "See impact and risk assessments", heldBy: [...READERS, "member"] },
  "ai-assessment:write": {
    lets: "Answer the questions of impact and risk assessments, and submit them",
    heldBy: ["governance_officer", "approver", "operator", "member"],
  },
  "ai-assessment:approve": {
    lets: "Approve impact and risk assessments that others have made",
    heldBy: ["governance_officer", "approver"],
    peopleOnly: true,
  },
});
