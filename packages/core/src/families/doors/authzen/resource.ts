import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { evaluate, evaluateAll, readConfiguration } from "./operations.js";
import { searchActions, searchResources, searchSubjects } from "./search/operations.js";

/** The Authorization API of AuthZEN: decisions, batches, searches and their discovery. */
export const authzenResource = defineResource({
  operations: [evaluate, evaluateAll, searchSubjects, searchResources, searchActions, readConfiguration],
  permissions: {
    "ai-decision:search": {
      lets: "Find out who may do something, and what somebody may do",
      heldBy: [...READERS],
    },
  },
});
