import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { followDeletedPolicies } from "./follow-ending.js";
import { exemptionDue, runExemptionJobs } from "./jobs.js";
import { exemptionStatus } from "./machine.js";
import {
  approveExemptionRequest,
  createExemption,
  listExemptions,
  readExemption,
  rejectExemptionRequest,
  revokeApprovedExemption,
  withdrawExemptionRequest,
} from "./operations.js";
import { exemptions } from "./schema.js";

/** Exemptions from policies, for a time. */
export const exemptionsResource = defineResource({
  collections: [exemptions],
  machines: [exemptionStatus],
  operations: [
    listExemptions,
    createExemption,
    readExemption,
    approveExemptionRequest,
    rejectExemptionRequest,
    withdrawExemptionRequest,
    revokeApprovedExemption,
  ],
  permissions: {
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
  },
  follows: [followDeletedPolicies],
  dues: [exemptionDue],
  tick: runExemptionJobs,
});
