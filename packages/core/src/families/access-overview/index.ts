import { defineArea } from "#kernel/operation/area.js";
import {
  findOverdueWork,
  findStuckRevocations,
  findUnmannedRequests,
  findUnseenAccess,
} from "./findings/observe-access.js";
import {
  listAllAssignments,
  listExpiring,
  listUnused,
  readAccessSummary,
  readDashboard,
} from "./lifecycle/operations.js";
import { listAccessConnectors, listAvailableTargets, listTargets, readTarget } from "./targets/operations.js";

export { unseenAccess } from "./lifecycle/unseen/unseen.js";

/** Access at a glance: targets, lists over all assets, figures, and findings about access. */
export const accessOverviewArea = defineArea({
  name: "access-overview",
  collections: [],
  machines: [],
  operations: [
    listTargets,
    readTarget,
    listAccessConnectors,
    listAvailableTargets,
    readAccessSummary,
    listAllAssignments,
    listExpiring,
    listUnused,
    readDashboard,
  ],
  follows: [findStuckRevocations, findUnseenAccess, findUnmannedRequests, findOverdueWork],
});
