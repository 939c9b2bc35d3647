import { defineResource } from "#families/resource.js";
import { defineEventReaders } from "#kernel/operation/shown-events.js";
import { CHAIN_SUBJECT } from "./events.js";
import { chainDue, runChainJobs } from "./jobs.js";
import { listCheckpoints, readTimeline, verifyActivity } from "./operations.js";
import { checkpoints } from "./schema.js";

/** The hash chain over all events, its checkpoints and its verification. */
export const chainResource = defineResource({
  collections: [checkpoints],
  operations: [verifyActivity, readTimeline, listCheckpoints],
  permissions: {
    "ai-audit:verify": {
      lets: "Verify the event chain and see its checkpoints",
      heldBy: ["governance_officer", "auditor", "provider_admin"],
    },
    "ai-audit:export": { lets: "Export events with a content hash", heldBy: ["governance_officer", "auditor"] },
    "ai-audit:read": { lets: "See erasures, and who asked for them", heldBy: ["governance_officer", "auditor"] },
    "ai-audit:erase": { lets: "Ask for the data of events to be erased for good", heldBy: [], peopleOnly: true },
    "ai-audit:approve": {
      lets: "Approve or decline an erasure that somebody else asks for",
      heldBy: ["governance_officer"],
      peopleOnly: true,
    },
  },
  extends: [
    // Events of erasures hold the reasons for them.
    defineEventReaders({ [CHAIN_SUBJECT.type]: ["ai-audit:read"] }),
  ],
  dues: [chainDue],
  tick: runChainJobs,
});
