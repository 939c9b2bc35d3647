export { contradict, contradictAll } from "./assignments/end/contradict.js";
export { endAssignment } from "./assignments/end/end.js";
export { assignmentStatus } from "./assignments/machine.js";
export { planChange, wideningRequests } from "./assignments/modify-assignment.js";
export { endsNoLater, narrowsParameters, permitsNoMore } from "./assignments/narrow-assignment.js";
export { provision } from "./assignments/provision-assignment.js";
export { assignmentHash, endingOf, endsUnused, holdingOf, ineffectiveBecause, isLive } from "./assignments/rules.js";
export { type AccessAssignment, accessAssignments, TARGET_STATES } from "./assignments/schema.js";
export { Unknown, unknownOf, unreported } from "./assignments/unknown-access.js";
export { assignmentView, circumstancesOf, ShownAssignment } from "./assignments/view-assignment.js";
export { believed, believedOf, hides, reconciliationOf } from "./reconciliation/believed-state.js";
export { renewAssignment, wakeAssignment, wakeReconciliation } from "./reconciliation/follow-reconciliation.js";
export { runReconciliationJobs } from "./reconciliation/jobs.js";
export { noteHidden, noteShown } from "./reconciliation/note-seen.js";
export { grantKeyOf, isEnded, isOverdue, OVERDUE_AFTER } from "./reconciliation/rules.js";
export {
  type AccessReconciliation,
  accessReconciliations,
  heldOn,
  NEW_RECONCILIATION,
} from "./reconciliation/schema.js";
