import { extend } from "#kernel/config/extension.js";
import { defineArea } from "#kernel/operation/area.js";
import { secondPersonPlaces } from "#kernel/operation/second-person.js";
import {
  endTokensWithAsset,
  endTokensWithIdentity,
  endTokensWithInstance,
  endTokensWithSession,
  endWithAssignment,
} from "./agent-tools/end/end.js";
import { endRestoredTokens } from "./agent-tools/jobs.js";
import { agentToolTokenStatus } from "./agent-tools/machine.js";
import {
  executeAgentTool,
  issueAgentToolToken,
  listAgentToolTokens,
  listOpenAgentTools,
  revokeAgentToolToken,
  testRuntime,
} from "./agent-tools/operations.js";
import { agentToolPermissions } from "./agent-tools/permissions.js";
import { agentToolCalls, agentToolKeys, agentToolTokens } from "./agent-tools/schema.js";
import { attestEnd } from "./assignments/attest/attest.js";
import { endWithAsset, endWithResource } from "./assignments/end/end.js";
import { assignmentsHold } from "./assignments/end/with-connection.js";
import { assignmentStatus } from "./assignments/machine.js";
import {
  attestAssignment,
  listAssignments,
  modifyAssignment,
  readAssignment,
  repairAssignment,
  revokeAssignment,
  verifyAssignment,
} from "./assignments/operations.js";
import { assignmentPermissions } from "./assignments/permissions.js";
import { accessAssignments } from "./assignments/schema.js";
import { followAsked } from "./certifications/asked/follow.js";
import { askedPanels, askedReviewers } from "./certifications/asked/schema.js";
import { confirmRevocation, endCertification } from "./certifications/close/second.js";
import { followAccess, followProfiles } from "./certifications/follow/follow.js";
import { followReviewers } from "./certifications/follow/people.js";
import { certificationItemStatus } from "./certifications/items/machine.js";
import { certifyItems, listItems, listOwnItems, reviewItem } from "./certifications/items/operations.js";
import { certificationItems } from "./certifications/items/schema.js";
import { certificationStatus } from "./certifications/machine.js";
import {
  cancelCertification,
  closeCertification,
  confirmRevocations,
  createCertificationRequest,
  listCertifications,
  readCertification,
} from "./certifications/operations.js";
import { certificationPermissions } from "./certifications/permissions.js";
import { decideAboutAccess } from "./certifications/review/vote.js";
import { certificationRuns, certifications, reviewPanels } from "./certifications/schema.js";
import { letDriftBe } from "./drift/decide/decide.js";
import { driftFigures, driftOfAccess } from "./drift/facts/facts.js";
import { followLanes } from "./drift/follow/follow.js";
import { accessDriftStatus } from "./drift/machine.js";
import {
  acceptDriftOperation,
  listDrift,
  readDrift,
  repairDriftOperation,
  suppressDriftOperation,
} from "./drift/operations.js";
import { driftPermissions } from "./drift/permissions.js";
import { driftScanStatus } from "./drift/scans/machine.js";
import { listScans, readScan, scanForDrift } from "./drift/scans/operations.js";
import { accessDriftScanRuns, accessDriftScans } from "./drift/scans/schema.js";
import { accessDrift } from "./drift/schema.js";
import { accessEvents } from "./events.js";
import { listAccessConnectors, readRequestSchema } from "./forms/operations.js";
import { declareAccessIdentity, listAccessIdentities, removeAccessIdentity } from "./identities/operations.js";
import { accessIdentityPermissions } from "./identities/permissions.js";
import { accessIdentities } from "./identities/schema.js";
import { accessDues, runAccessJobs } from "./jobs.js";
import { wakeLanes, wakeParked, wakeUnmanaged } from "./lanes/follow/follow.js";
import { accessLanes } from "./lanes/schema.js";
import {
  listAllAssignments,
  listExpiring,
  listUnused,
  readAccessSummary,
  readDashboard,
} from "./lifecycle/operations.js";
import {
  findOverdueWork,
  findStuckRevocations,
  findUnmannedRequests,
  findUnseenAccess,
} from "./observed/find/followers.js";
import { createPolicy, listPolicies, readPolicy, removePolicy, replacePolicy } from "./policies/operations.js";
import { policyPermissions } from "./policies/permissions.js";
import { holdCovered } from "./policies/plan/moved.js";
import { accessPolicies } from "./policies/schema.js";
import { accessProfileStatus } from "./profiles/machine.js";
import {
  approveProfile,
  disableProfile,
  listProfiles,
  listResourceProfiles,
  readProfile,
} from "./profiles/operations.js";
import { profilePermissions } from "./profiles/permissions.js";
import { accessProfiles } from "./profiles/schema.js";
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
import { accessResourceStatus } from "./resources/machine.js";
import { listResources, patchResource, readResourceOperation } from "./resources/operations.js";
import { accessResources } from "./resources/schema.js";
import { followSchedules } from "./schedules/follow/follow.js";
import { accessSchedules } from "./schedules/schema.js";
import { accessSyncStatus } from "./syncs/machine.js";
import { cancelSync, listSyncs, readSync, syncResources } from "./syncs/operations.js";
import { accessSyncRuns, accessSyncs } from "./syncs/schema.js";
import { listAvailableTargets, listTargets, readTarget } from "./targets/operations.js";
import { targetPermissions } from "./targets/permissions.js";
import { usageFacts } from "./usage/facts/facts.js";
import { exportAssetUses, listAssetUses, readAssignmentUsage, summarizeAssetUses } from "./usage/operations.js";
import { usagePermissions } from "./usage/permissions.js";
import { followUsage } from "./usage/read/schedule.js";
import { accessUses, usageDays, usageFeeds } from "./usage/schema.js";

export { askedReviewers } from "./certifications/asked/schema.js";
export { certifications } from "./certifications/schema.js";
export { scopeHashOf } from "./certifications/snapshot/snapshot.js";
export { accessDrift, DRIFT_KINDS } from "./drift/schema.js";
export { unseenAccess } from "./lifecycle/unseen/unseen.js";
export { definitionHash as profileDefinitionHash } from "./profiles/rules.js";
export { requestScopeHash } from "./requests/rules.js";
export { accessRequests, activeStage } from "./requests/schema.js";

/** Who may use what in connected systems, for how long, and whether it is still so. */
export const accessArea = defineArea({
  name: "access",
  collections: [
    accessResources,
    accessProfiles,
    accessSyncs,
    accessSyncRuns,
    accessSchedules,
    accessIdentities,
    accessAssignments,
    accessLanes,
    certifications,
    certificationItems,
    certificationRuns,
    reviewPanels,
    askedPanels,
    askedReviewers,
    accessUses,
    usageDays,
    usageFeeds,
    accessDrift,
    accessDriftScans,
    accessDriftScanRuns,
    accessPolicies,
    accessRequests,
    openGrants,
    askedApprovers,
    agentToolTokens,
    agentToolKeys,
    agentToolCalls,
  ],
  machines: [
    accessResourceStatus,
    accessProfileStatus,
    accessSyncStatus,
    assignmentStatus,
    certificationStatus,
    certificationItemStatus,
    accessDriftStatus,
    driftScanStatus,
    accessRequestStatus,
    agentToolTokenStatus,
  ],
  operations: [
    listTargets,
    readTarget,
    listResources,
    readResourceOperation,
    patchResource,
    syncResources,
    listSyncs,
    readSync,
    cancelSync,
    scanForDrift,
    listScans,
    readScan,
    listResourceProfiles,
    listProfiles,
    readProfile,
    approveProfile,
    disableProfile,
    listAccessConnectors,
    readRequestSchema,
    createAccessRequest,
    listAccessRequests,
    readAccessRequest,
    evaluateAccessRequest,
    approveAccessRequest,
    rejectAccessRequest,
    cancelAccessRequest,
    provisionAccessRequest,
    listPolicies,
    createPolicy,
    readPolicy,
    replacePolicy,
    removePolicy,
    listAssignments,
    listAccessIdentities,
    declareAccessIdentity,
    removeAccessIdentity,
    listAvailableTargets,
    readAccessSummary,
    listAllAssignments,
    readAssignment,
    verifyAssignment,
    modifyAssignment,
    repairAssignment,
    attestAssignment,
    revokeAssignment,
    readAssignmentUsage,
    listExpiring,
    listUnused,
    readDashboard,
    listCertifications,
    createCertificationRequest,
    readCertification,
    closeCertification,
    confirmRevocations,
    cancelCertification,
    listItems,
    certifyItems,
    reviewItem,
    listOwnItems,
    listAssetUses,
    exportAssetUses,
    summarizeAssetUses,
    listDrift,
    readDrift,
    acceptDriftOperation,
    suppressDriftOperation,
    repairDriftOperation,
    testRuntime,
    issueAgentToolToken,
    listAgentToolTokens,
    revokeAgentToolToken,
    listOpenAgentTools,
    executeAgentTool,
  ],
  follows: [
    ...[wakeLanes, followAssignments, keepRows, endWithResource, endWithAsset, withdrawWithAsset],
    ...[
      wakeParked,
      followAsked,
      followAccess,
      followProfiles,
      followUsage,
      followApprovers,
      followReviewers,
      followLanes,
    ],
    followSchedules,
    holdCovered,
    wakeUnmanaged,
    ...[endWithAssignment, endTokensWithAsset, endTokensWithSession],
    ...[endTokensWithInstance, endTokensWithIdentity],
    ...[findStuckRevocations, findUnseenAccess, findUnmannedRequests, findOverdueWork],
  ],
  dues: accessDues,
  tick: runAccessJobs,
  restored: endRestoredTokens,
  extends: [
    accessEvents,
    targetPermissions,
    profilePermissions,
    accessIdentityPermissions,
    assignmentPermissions,
    assignmentsHold,
    certificationPermissions,
    usagePermissions,
    usageFacts,
    policyPermissions,
    requestPermissions,
    requestFacts,
    requestPeople,
    requestFigures,
    askForMore,
    extend(secondPersonPlaces, decideAboutRequest),
    agentToolPermissions,
    extend(secondPersonPlaces, decideAboutAccess),
    extend(secondPersonPlaces, confirmRevocation),
    extend(secondPersonPlaces, endCertification),
    driftPermissions,
    driftOfAccess,
    driftFigures,
    extend(secondPersonPlaces, letDriftBe),
    extend(secondPersonPlaces, attestEnd),
  ],
});
