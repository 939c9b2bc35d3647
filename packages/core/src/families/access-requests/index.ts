import { extend } from "#kernel/config/extension.js";
import { defineArea } from "#kernel/operation/area.js";
import { fourEyesPlaces } from "#kernel/operation/four-eyes.js";
import { accessRequestsEvents } from "./events.js";
import { accessRequestsDues, runAccessRequestsJobs } from "./jobs.js";
import { requestFacts, requestPeople } from "./requests/conflicts/facts.js";
import { askForMore } from "./requests/create/widen.js";
import { decideAboutRequest } from "./requests/decide/approve.js";
import { requestFigures } from "./requests/figures/figures.js";
import { followAssignments } from "./requests/follow/assignments.js";
import { followApprovers, withdrawWithAsset } from "./requests/follow/others.js";
import { keepRows } from "./requests/follow/rows.js";
import { accessRequestStatus } from "./requests/machine.js";
import {
  approveAccessRequest,
  cancelAccessRequest,
  createAccessRequest,
  evaluateAccessRequest,
  listAccessRequests,
  provisionAccessRequest,
  readAccessRequest,
  rejectAccessRequest,
} from "./requests/operations.js";
import { requestPermissions } from "./requests/permissions.js";
import { accessRequests, askedApprovers, openGrants } from "./requests/schema.js";

export { conflictsOfAssignment } from "./requests/conflicts/unresolved.js";
export { createRequest } from "./requests/create/create.js";
export { isShort, neededFor, requestScopeHash } from "./requests/rules.js";
export { type AccessRequest, accessRequests, activeStage } from "./requests/schema.js";

/** Requests for access: what they take, who decides, and that what was approved is granted. */
export const accessRequestsArea = defineArea({
  name: "access-requests",
  collections: [accessRequests, openGrants, askedApprovers],
  machines: [accessRequestStatus],
  operations: [
    createAccessRequest,
    listAccessRequests,
    readAccessRequest,
    evaluateAccessRequest,
    approveAccessRequest,
    rejectAccessRequest,
    cancelAccessRequest,
    provisionAccessRequest,
  ],
  follows: [followAssignments, keepRows, withdrawWithAsset, followApprovers],
  dues: accessRequestsDues,
  tick: runAccessRequestsJobs,
  extends: [
    accessRequestsEvents,
    requestPermissions,
    requestFacts,
    requestPeople,
    requestFigures,
    askForMore,
    extend(fourEyesPlaces, decideAboutRequest),
  ],
});
