import { definePermissions, READERS } from "#families/roles.js";

export const exemptionPermissions = definePermissions({
  "ai-exemption:read": { lets: "See exemptions", heldBy: [...READERS, "member"] },
  "ai-exemption:request": {
    lets: "Ask for exemptions, and take requests back",
    heldBy: ["governance_officer", "operator"],
    peopleOnly: true,
  },
  "ai-exemption:approve": {
    lets: "Approve and reject exemptions that others ask for",
    heldBy: ["governance_officer", "approver"],
    peopleOnly: true,
  },
  "ai-exemption:revoke": {
    lets: "Revoke approved exemptions",
    heldBy: ["governance_officer", "approver"],
    peopleOnly: true,
  },
  "ai-exemption:broad": {
    lets: "Ask for and approve exemptions for all assets that a selector takes in",
    heldBy: ["governance_officer"],
    peopleOnly: true,
  },
});
