import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { extend } from "#kernel/config/extension.js";
import { recordKinds } from "../records/declare/kinds.js";
import { followRecords } from "../records/follow/links.js";
import { toolStatus } from "./machine.js";
import { toolOperations } from "./operations.js";
import { toolKind } from "./record-kind.js";
import { keepBlocked } from "./review/keep-blocked.js";
import { reviewManyTools, reviewOneTool } from "./review/operations.js";
import { tools } from "./schema.js";

/** Tools, their effects and their review. */
export const toolsResource = defineResource({
  collections: [tools],
  machines: [toolStatus],
  operations: [
    toolOperations.list,
    toolOperations.create,
    toolOperations.read,
    toolOperations.replace,
    toolOperations.remove,
    reviewOneTool,
    reviewManyTools,
  ],
  permissions: {
    "ai-tool:read": { lets: "See AI tools", heldBy: [...READERS, "member"] },
    "ai-tool:write": { lets: "Register and change AI tools", heldBy: ["operator", "member"] },
    "ai-tool:delete": { lets: "Delete AI tools and their assets", heldBy: ["operator"] },
    "ai-tool:approve": {
      lets: "Approve, block and unblock tools, and say what their effects are",
      heldBy: ["governance_officer", "approver"],
      peopleOnly: true,
    },
  },
  follows: [followRecords(toolKind), keepBlocked],
  extends: [extend(recordKinds, toolKind)],
});
