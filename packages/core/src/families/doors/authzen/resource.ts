import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { evaluate, evaluateAll, readConfiguration } from "./operations.js";
import { cancelRequest, readRequestTask, submitRequest } from "./requests/operations.js";
import { authzenTasks } from "./requests/schema.js";
import { searchActions, searchResources, searchSubjects } from "./search/operations.js";

/** The Authorization API of AuthZEN: decisions, batches, searches and their discovery. */
export const authzenResource = defineResource({
  collections: [authzenTasks],
  operations: [
    evaluate,
    evaluateAll,
    searchSubjects,
    searchResources,
    searchActions,
    submitRequest,
    readRequestTask,
    cancelRequest,
    readConfiguration,
  ],
  aged: [{ kind: "approvals", collection: authzenTasks, by: "expiresAt" }],
  permissions: {
    "ai-decision:search": {
      lets: "Find out who may do something, and what somebody may do",
      heldBy: [...READERS],
    },
  },
});
