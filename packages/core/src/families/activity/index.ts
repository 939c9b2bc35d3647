import { defineArea } from "../../kernel/operation/area.js";
import { runChainJobs } from "./chain/jobs.js";
import { exportActivity, listCheckpoints, verifyActivity } from "./chain/operations.js";
import { auditPermissions } from "./chain/permissions.js";
import { checkpoints } from "./chain/schema.js";
import { eraseEvents } from "./erasure/operations.js";
import { listActivity, listSubjectActivity } from "./events/operations.js";
import { activityPermissions } from "./events/permissions.js";
import { activityEvents } from "./events.js";

export { type ChainVerification, type VerifyOptions, verifyChain } from "./chain/verify/verify.js";
export { Event } from "./events/schema.js";
export { filteredEvents } from "./events/walk/walk.js";
export { type ExportRange, exportEvents } from "./export/operations.js";

/** The tamper-evident stream of everything that happens in a tenant. */
export const activity = defineArea({
  name: "activity",
  collections: [checkpoints],
  machines: [],
  operations: [listActivity, listSubjectActivity, verifyActivity, listCheckpoints, exportActivity, eraseEvents],
  tick: runChainJobs,
  extends: [activityEvents, activityPermissions, auditPermissions],
});
