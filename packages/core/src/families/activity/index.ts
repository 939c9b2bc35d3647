import { defineArea } from "#kernel/operation/area.js";
import { defineEventReaders } from "#kernel/operation/shown-events.js";
import { CHAIN_SUBJECT } from "./chain/events.js";
import { chainDue, runChainJobs } from "./chain/jobs.js";
import { listCheckpoints, verifyActivity } from "./chain/operations.js";
import { auditPermissions } from "./chain/permissions.js";
import { checkpoints } from "./chain/schema.js";
import { erasureStatus } from "./erasures/machine.js";
import { decideErasure, eraseEvents, listErasures, readErasure } from "./erasures/operations.js";
import { erasures } from "./erasures/schema.js";
import { listActivity, listSubjectActivity } from "./events/operations.js";
import { activityPermissions } from "./events/permissions.js";
import { activityEvents } from "./events.js";
import { exportActivity } from "./export/operations.js";

export { newestCheckpoint } from "./chain/checkpoints/stored.js";
export { compareCheckpoint, headOf } from "./chain/verify/compare.js";
export { type ChainVerification, type VerifyOptions, verifyChain } from "./chain/verify/verify.js";
export { keptReasons } from "./erasures/erase/kept.js";
export { erasures } from "./erasures/schema.js";
export { Event } from "./events/schema.js";
export { knownSubject } from "./events/subject/subject.js";
export { filteredEvents } from "./events/walk/walk.js";
export { type ExportRange, exportEvents } from "./export/write/export-events.js";

/** The tamper-evident stream of everything that happens in a tenant. */
export const activity = defineArea({
  name: "activity",
  collections: [checkpoints, erasures],
  machines: [erasureStatus],
  operations: [
    listActivity,
    listSubjectActivity,
    verifyActivity,
    listCheckpoints,
    exportActivity,
    listErasures,
    eraseEvents,
    readErasure,
    decideErasure,
  ],
  dues: [chainDue],
  tick: runChainJobs,
  extends: [
    activityEvents,
    activityPermissions,
    auditPermissions,
    // Events of erasures hold the reasons for them.
    defineEventReaders({ [CHAIN_SUBJECT.type]: ["ai-audit:read"] }),
  ],
});
