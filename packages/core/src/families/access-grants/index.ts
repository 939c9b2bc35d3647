import { defineArea } from "#kernel/operation/area.js";
import { endWithAsset, endWithResource } from "./assignments/end/end.js";
import { assignmentsHold } from "./assignments/end/with-connection.js";
import { assignmentStatus } from "./assignments/machine.js";
import { listAssignments, modifyAssignment, readAssignment, revokeAssignment } from "./assignments/operations.js";
import { assignmentPermissions } from "./assignments/permissions.js";
import { accessAssignments } from "./assignments/schema.js";
import { accessGrantsEvents } from "./events.js";
import { declareAccessIdentity, listAccessIdentities, removeAccessIdentity } from "./identities/operations.js";
import { accessGrantsDues, runAccessGrantsJobs } from "./jobs.js";
import { wakeParked, wakeReconciliations, wakeUnmanaged } from "./reconciliation/follow/follow.js";
import { accessReconciliations } from "./reconciliation/schema.js";

export { contradict, contradictAll } from "./assignments/end/contradict.js";
export { endAssignment } from "./assignments/end/end.js";
export { assignmentStatus } from "./assignments/machine.js";
export { planChange, wideningRequests } from "./assignments/modify/modify.js";
export { endsNoLater, narrowsParameters, permitsNoMore } from "./assignments/modify/narrow.js";
export { provision } from "./assignments/provision/provision.js";
export { assignmentHash, endingOf, endsUnused, holdingOf, ineffectiveBecause, isLive } from "./assignments/rules.js";
export { type AccessAssignment, accessAssignments, TARGET_STATES } from "./assignments/schema.js";
export { Unknown, unknownOf, untold } from "./assignments/unknown/unknown.js";
export { assignmentView, circumstancesOf, ShownAssignment } from "./assignments/view/view.js";
export { renewAssignment, wakeAssignment, wakeReconciliation } from "./reconciliation/follow/follow.js";
export { runReconciliationJobs } from "./reconciliation/jobs.js";
export { grantKeyOf, isEnded, isOverdue, OVERDUE_AFTER } from "./reconciliation/rules.js";
export {
  type AccessReconciliation,
  accessReconciliations,
  heldOn,
  NEW_RECONCILIATION,
} from "./reconciliation/schema.js";
export { believed, believedOf, hides, reconciliationOf } from "./reconciliation/seen/believed.js";
export { noteHidden, noteShown } from "./reconciliation/seen/note.js";

/** Access that assets have, and the work that makes targets agree with it. */
export const accessGrantsArea = defineArea({
  name: "access-grants",
  collections: [accessAssignments, accessReconciliations],
  machines: [assignmentStatus],
  operations: [
    listAssignments,
    listAccessIdentities,
    declareAccessIdentity,
    removeAccessIdentity,
    readAssignment,
    modifyAssignment,
    revokeAssignment,
  ],
  follows: [wakeReconciliations, endWithResource, endWithAsset, wakeParked, wakeUnmanaged],
  dues: accessGrantsDues,
  tick: runAccessGrantsJobs,
  extends: [accessGrantsEvents, assignmentPermissions, assignmentsHold],
});
