import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { readOverview } from "./operations.js";

/** The tenant at a glance: what needs attention. */
export const summaryResource = defineResource({
  operations: [readOverview],
  permissions: {
    "ai-overview:read": {
      lets: "See the overview: of each block what one may see anyway",
      heldBy: [...READERS, "member"],
    },
  },
});
