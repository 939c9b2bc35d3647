import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { runWatchJobs } from "./jobs.js";
import { watchStatus } from "./machine.js";
import {
  approveWatch,
  createWatch,
  enforceWatch,
  listWatchedCalls,
  listWatches,
  readWatch,
  rejectWatch,
  summariseWatch,
} from "./operations.js";
import { watchedCalls, watches } from "./schema.js";

/** Times in which decisions about calls of clients are recorded and not enforced. */
export const watchesResource = defineResource({
  collections: [watches, watchedCalls],
  machines: [watchStatus],
  operations: [
    listWatches,
    createWatch,
    readWatch,
    approveWatch,
    rejectWatch,
    summariseWatch,
    listWatchedCalls,
    enforceWatch,
  ],
  permissions: {
    "enforcement-watch:read": { lets: "See watches and what would have been denied in them", heldBy: READERS },
    "enforcement-watch:request": {
      lets: "Ask to watch calls of clients without denying them",
      heldBy: ["governance_officer", "operator"],
      peopleOnly: true,
    },
    "enforcement-watch:approve": {
      lets: "Approve and reject watches that others ask for",
      heldBy: ["governance_officer", "approver"],
      peopleOnly: true,
    },
    "enforcement-watch:enforce": {
      lets: "Turn watches to enforcing",
      heldBy: ["governance_officer", "operator"],
    },
  },
  tick: runWatchJobs,
});
