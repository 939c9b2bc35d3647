import { defineResource } from "#families/resource.js";
import {
  endTokensWithAsset,
  endTokensWithIdentity,
  endTokensWithInstance,
  endTokensWithSession,
  endWithAssignment,
} from "./end-token.js";
import { endRestoredTokens } from "./jobs.js";
import { agentToolTokenStatus } from "./machine.js";
import { issueAgentToolToken, listAgentToolTokens, revokeAgentToolToken } from "./operations.js";
import { agentToolCalls, agentToolKeys, agentToolTokens } from "./schema.js";

/** Short-lived tokens with which assets call tools. */
export const tokensResource = defineResource({
  collections: [agentToolTokens, agentToolKeys, agentToolCalls],
  machines: [agentToolTokenStatus],
  operations: [issueAgentToolToken, listAgentToolTokens, revokeAgentToolToken],
  permissions: {
    "agent-tool-token:issue": {
      lets: "Issue tokens with which AI assets that one answers for run tools",
      heldBy: ["operator", "member"],
    },
    "agent-tool-token:revoke": {
      lets: "End such tokens, and set traps with tokens that are good for nothing",
      heldBy: ["governance_officer", "operator"],
    },
    "agent-tool:test": {
      lets: "Test whether an AI asset could run a tool",
      heldBy: ["governance_officer", "operator"],
    },
  },
  follows: [endWithAssignment, endTokensWithAsset, endTokensWithSession, endTokensWithInstance, endTokensWithIdentity],
  restored: endRestoredTokens,
});
