import { defineResource } from "#families/resource.js";
import { executeAgentTool, listOpenAgentTools } from "./operations.js";

/** Calls of tools with a token. */
export const executeResource = defineResource({
  operations: [listOpenAgentTools, executeAgentTool],
});
