import { extend } from "#kernel/config/extension.js";
import { defineArea } from "#kernel/operation/area.js";
import { fourEyesPlaces } from "#kernel/operation/four-eyes.js";
import { attestEnd } from "./checks/attest/attest.js";
import { attestAssignment, repairAssignment, verifyAssignment } from "./checks/operations.js";
import { letDriftBe } from "./drift/decide/decide.js";
import { driftFigures, driftOfAccess } from "./drift/facts/facts.js";
import { followReconciliations } from "./drift/follow/follow.js";
import { accessDriftStatus } from "./drift/machine.js";
import {
  acceptDriftOperation,
  listDrift,
  readDrift,
  repairDriftOperation,
  suppressDriftOperation,
} from "./drift/operations.js";
import { driftPermissions } from "./drift/permissions.js";
import { accessDrift } from "./drift/schema.js";
import { accessDriftEvents } from "./events.js";
import { accessDriftDues, runAccessDriftJobs } from "./jobs.js";
import { driftScanStatus } from "./scans/machine.js";
import { listScans, readScan, scanForDrift } from "./scans/operations.js";
import { accessDriftScanRuns, accessDriftScans } from "./scans/schema.js";
import { followSchedules } from "./schedules/follow/follow.js";
import { accessSchedules } from "./schedules/schema.js";
import { readTargets } from "./syncs/last-syncs.js";
import { accessSyncStatus } from "./syncs/machine.js";
import { cancelSync, listSyncs, readSync, syncResources } from "./syncs/operations.js";
import { accessSyncRuns, accessSyncs } from "./syncs/schema.js";
import { usageFacts } from "./usage/facts/facts.js";
import { exportAssetUses, listAssetUses, readAssignmentUsage, summarizeAssetUses } from "./usage/operations.js";
import { usagePermissions } from "./usage/permissions.js";
import { followUsage } from "./usage/read/schedule.js";
import { accessUses, usageDays, usageFeeds } from "./usage/schema.js";

export { comparedTargets } from "./drift/facts/facts.js";
export { accessDrift, DRIFT_KINDS } from "./drift/schema.js";
export { staleAfterSeconds } from "./schedules/rules.js";
export { type AccessSchedule, accessSchedules } from "./schedules/schema.js";
export { lastSyncs } from "./syncs/last-syncs.js";
export { syncStatusOf } from "./syncs/rules.js";
export type { AccessSync } from "./syncs/schema.js";
export { Days } from "./usage/operations.js";
export { recordUses, settleUses, type UseDraft } from "./usage/record/record.js";
export { LOST_AFTER, MOST_DAYS, UNKNOWN_REASONS, USAGE_DAYS, usageStateOf, windowStart } from "./usage/rules.js";
export { type AccessUse, accessUses } from "./usage/schema.js";
export { coverageOf, NOTHING_KNOWN, shownCoverage, UsageCoverage } from "./usage/seen/coverage.js";

/** What targets have and do, and where that differs from what was decided: syncs, scans, use, repair. */
export const accessDriftArea = defineArea({
  name: "access-drift",
  collections: [
    accessSyncs,
    accessSyncRuns,
    accessSchedules,
    accessUses,
    usageDays,
    usageFeeds,
    accessDrift,
    accessDriftScans,
    accessDriftScanRuns,
  ],
  machines: [accessSyncStatus, accessDriftStatus, driftScanStatus],
  operations: [
    syncResources,
    listSyncs,
    readSync,
    cancelSync,
    scanForDrift,
    listScans,
    readScan,
    verifyAssignment,
    repairAssignment,
    attestAssignment,
    readAssignmentUsage,
    listAssetUses,
    exportAssetUses,
    summarizeAssetUses,
    listDrift,
    readDrift,
    acceptDriftOperation,
    suppressDriftOperation,
    repairDriftOperation,
  ],
  follows: [followUsage, followReconciliations, followSchedules],
  dues: accessDriftDues,
  tick: runAccessDriftJobs,
  extends: [
    accessDriftEvents,
    readTargets,
    usagePermissions,
    usageFacts,
    driftPermissions,
    driftOfAccess,
    driftFigures,
    extend(fourEyesPlaces, letDriftBe),
    extend(fourEyesPlaces, attestEnd),
  ],
});
