import { defineResource } from "#families/resource.js";
import { endWithAsset, endWithResource } from "./end/end.js";
import { assignmentsHold } from "./end/with-connection.js";
import { assignmentStatus } from "./machine.js";
import { listAssignments, modifyAssignment, readAssignment, revokeAssignment } from "./operations.js";
import { accessAssignments } from "./schema.js";

/** Access that assets have, and its end. */
export const assignmentsResource = defineResource({
  collections: [accessAssignments],
  machines: [assignmentStatus],
  operations: [listAssignments, readAssignment, modifyAssignment, revokeAssignment],
  permissions: {
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
  },
  follows: [endWithResource, endWithAsset],
  extends: [assignmentsHold],
});
