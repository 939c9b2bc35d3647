import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { decisionApprovalStatus } from "./approvals/machine.js";
import { approveAction, listApprovals, readApproval, rejectAction, withdrawApproval } from "./approvals/operations.js";
import { decisionApprovals } from "./approvals/schema.js";
import { evaluatePolicies } from "./operations.js";

/** Decisions about calls at run time, and their approvals. */
export const decisionsResource = defineResource({
  collections: [decisionApprovals],
  machines: [decisionApprovalStatus],
  operations: [evaluatePolicies, listApprovals, readApproval, approveAction, rejectAction, withdrawApproval],
  permissions: {
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
  },
  aged: [{ kind: "approvals", collection: decisionApprovals, by: "overSince" }],
});
