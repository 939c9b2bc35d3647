import { defineResource } from "#families/resource.js";
import { requestFacts, requestPeople } from "./conflicts/facts.js";
import { askForMore } from "./create/widen.js";
import { decideAboutRequest } from "./decide/approve.js";
import { followAssignments } from "./follow/assignments.js";
import { followApprovers, withdrawWithAsset } from "./follow/others.js";
import { keepRows } from "./follow/rows.js";
import { accessRequestStatus } from "./machine.js";
import {
  approveAccessRequest,
  cancelAccessRequest,
  createAccessRequest,
  evaluateAccessRequest,
  listAccessRequests,
  previewAccessRequest,
  provisionAccessRequest,
  readAccessRequest,
  rejectAccessRequest,
} from "./operations.js";
import { requestFigures } from "./request-figures.js";
import { accessRequests, askedApprovers, openGrants } from "./schema.js";

/** Requests for access, from evaluation through approval to the grant. */
export const requestsResource = defineResource({
  collections: [accessRequests, openGrants, askedApprovers],
  machines: [accessRequestStatus],
  operations: [
    createAccessRequest,
    previewAccessRequest,
    listAccessRequests,
    readAccessRequest,
    evaluateAccessRequest,
    approveAccessRequest,
    rejectAccessRequest,
    cancelAccessRequest,
    provisionAccessRequest,
  ],
  permissions: {
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
  },
  fourEyes: [decideAboutRequest],
  follows: [followAssignments, keepRows, withdrawWithAsset, followApprovers],
  extends: [requestFacts, requestPeople, requestFigures, askForMore],
});
