import { defineResource } from "#families/resource.js";
import { attestEnd } from "./attest-assignment.js";
import { attestAssignment, repairAssignment, verifyAssignment } from "./operations.js";

/** Verification, repair and attestation of one assignment. */
export const checksResource = defineResource({
  operations: [verifyAssignment, repairAssignment, attestAssignment],
  fourEyes: [attestEnd],
});
