import { definePermissions } from "#families/roles.js";

export const requestPermissions = definePermissions({
  "access-request:write": {
    lets: "Ask for access, and take back what one has asked for",
    heldBy: ["governance_officer", "approver", "operator", "member"],
  },
  "access-request:decide": {
    lets: "Approve and reject access that others ask for, where one is asked",
    heldBy: ["governance_officer", "approver", "operator", "member"],
    peopleOnly: true,
  },
  "access-request:exempt": {
    lets: "Permit access that conflicts with other access, for a time",
    heldBy: ["governance_officer"],
    peopleOnly: true,
  },
  "access-request:cancel-any": {
    lets: "Take back access that others ask for",
    heldBy: ["governance_officer"],
  },
  "access-request:provision": {
    lets: "Have approved access granted now, and again where that failed",
    heldBy: ["governance_officer", "operator"],
  },
});
