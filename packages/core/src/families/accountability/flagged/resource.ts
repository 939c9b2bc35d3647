import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { listFlaggedDecisions } from "./operations.js";
import { flaggedDecisions } from "./schema.js";

/** Decisions by somebody related to those involved, for a later check. */
export const flaggedResource = defineResource({
  collections: [flaggedDecisions],
  operations: [listFlaggedDecisions],
  permissions: {
    "ai-flagged-decision:read": { lets: "See decisions by people related to who asked", heldBy: [...READERS] },
  },
});
