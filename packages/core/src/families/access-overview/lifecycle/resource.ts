import { defineResource } from "#families/resource.js";
import { listAllAssignments, listExpiring, listUnused, readAccessSummary, readDashboard } from "./operations.js";

/** Access of all assets: what expires, what is unused, and figures. */
export const lifecycleResource = defineResource({
  operations: [readAccessSummary, listAllAssignments, listExpiring, listUnused, readDashboard],
});
