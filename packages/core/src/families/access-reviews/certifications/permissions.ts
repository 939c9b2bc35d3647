import { definePermissions } from "#families/roles.js";

export const certificationPermissions = definePermissions({
  "access-certification:write": {
    lets: "Begin, close and cancel certifications of access",
    heldBy: ["governance_officer"],
  },
  "access-certification:review": {
    lets: "Decide about access in certifications that one is a reviewer of",
    heldBy: ["governance_officer", "approver", "operator", "member"],
    peopleOnly: true,
  },
  "access-certification:confirm": {
    lets: "Confirm that a certification revokes much, or what nobody has decided",
    heldBy: ["governance_officer"],
    peopleOnly: true,
  },
});
