import { defineArea } from "#kernel/operation/area.js";
import { agentToolsEvents } from "./events.js";
import { executeAgentTool, listOpenAgentTools } from "./execute/operations.js";
import { agentToolsDues, runAgentToolsJobs } from "./jobs.js";
import { testRuntime } from "./runtime-test/operations.js";
import {
  endTokensWithAsset,
  endTokensWithIdentity,
  endTokensWithInstance,
  endTokensWithSession,
  endWithAssignment,
} from "./tokens/end/end.js";
import { endRestoredTokens } from "./tokens/jobs.js";
import { agentToolTokenStatus } from "./tokens/machine.js";
import { issueAgentToolToken, listAgentToolTokens, revokeAgentToolToken } from "./tokens/operations.js";
import { agentToolPermissions } from "./tokens/permissions.js";
import { agentToolCalls, agentToolKeys, agentToolTokens } from "./tokens/schema.js";

/** Short-lived tokens with which assets run tools, and the calls with them. */
export const agentToolsArea = defineArea({
  name: "agent-tools",
  collections: [agentToolTokens, agentToolKeys, agentToolCalls],
  machines: [agentToolTokenStatus],
  operations: [
    testRuntime,
    issueAgentToolToken,
    listAgentToolTokens,
    revokeAgentToolToken,
    listOpenAgentTools,
    executeAgentTool,
  ],
  follows: [endWithAssignment, endTokensWithAsset, endTokensWithSession, endTokensWithInstance, endTokensWithIdentity],
  dues: agentToolsDues,
  tick: runAgentToolsJobs,
  restored: endRestoredTokens,
  extends: [agentToolsEvents, agentToolPermissions],
});
