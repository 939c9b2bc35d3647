import { definePermissions } from "#families/roles.js";

export const agentToolPermissions = definePermissions({
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
});
