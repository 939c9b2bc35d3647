import { tag } from "#families/access/index.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { EXECUTE } from "../tokens/rules.js";
import { executeTool } from "./execute-tool.js";
import { listTools, OpenTools, ToolsRequest } from "./list-tools.js";
import { ToolAnswer, ToolRequest } from "./schema.js";

export const listOpenAgentTools = defineOperation({
  tag,
  id: "agentTools.list",
  method: "POST",
  path: "/api/v1/agent-tools/codehost/tools",
  summary: "List the tools that an agent-tool token opens at this moment",
  description:
    "The token in the body is the only credential. A token that is unknown, over or revoked is answered alike. It counts towards the calls of a minute, and nowhere as use.",
  access: "public",
  extension: true,
  effect: "own",
  quiet: true,
  body: ToolsRequest,
  success: { status: 200, schema: OpenTools },
  errors: ["invalid_token", "rate_limited"],
  killSwitches: [EXECUTE],
  handler: (ctx, { body }) => listTools(ctx, body),
});

export const executeAgentTool = defineOperation({
  tag,
  id: "agentTools.execute",
  method: "POST",
  path: "/api/v1/agent-tools/codehost/execute",
  summary: "Run a tool on a code host or an MCP server with an agent-tool token",
  description:
    "The token in the body is the only credential. A token that is unknown, over or revoked is answered alike. A tool that fails is answered with 200 and `error`.",
  access: "public",
  effect: "own",
  body: ToolRequest,
  success: { status: 200, schema: ToolAnswer },
  errors: [
    ...(["invalid_token", "tool_not_allowed", "tool_definition_changed", "constraint_violation"] as const),
    ...(["assignment_inactive", "idempotency_key_required", "idempotency_key_reused"] as const),
    ...(["idempotency_in_progress", "rate_limited"] as const),
  ],
  killSwitches: [EXECUTE],
  handler: (ctx, { body }) => executeTool(ctx, body),
});
