import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { readUsage } from "./operations.js";

/** Sums of the use that installations report. */
export const usageResource = defineResource({
  operations: [readUsage],
  permissions: {
    "usage:read": {
      lets: "See the reported use of models and tools, and what installations have sent",
      heldBy: READERS,
    },
  },
});
