import { definePermissions, READERS } from "#families/roles.js";

export const compliancePermissions = definePermissions({
  "ai-compliance:read": {
    lets: "See frameworks, assessments of their controls, posture and reports",
    heldBy: [...READERS, "member"],
  },
  "ai-compliance:assess": {
    lets: "Assess controls of frameworks and say where evidence is",
    heldBy: ["governance_officer", "approver", "operator"],
  },
  "ai-compliance:attest": {
    lets: "Attest what others have assessed, exempt and exclude controls",
    heldBy: ["governance_officer", "approver"],
    peopleOnly: true,
  },
  "ai-compliance:frameworks": {
    lets: "Upload, replace and delete frameworks of the tenant's own",
    heldBy: ["governance_officer"],
  },
});
