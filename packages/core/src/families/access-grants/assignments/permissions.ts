import { definePermissions } from "#families/roles.js";

export const assignmentPermissions = definePermissions({
  "access-assignment:verify": {
    lets: "Ask connected systems whether access is there now",
    heldBy: ["governance_officer", "operator"],
  },
  "access-assignment:write": {
    lets: "Narrow access that was granted, and have connected systems put right",
    heldBy: ["governance_officer", "operator"],
  },
  "access-assignment:attest": {
    lets: "Say that a connected system has access no more, where it does not confirm that itself",
    heldBy: ["governance_officer", "operator"],
    peopleOnly: true,
  },
  "access-assignment:revoke": { lets: "End access that was granted", heldBy: ["governance_officer", "operator"] },
});
