import { z } from "zod";
import { assets } from "#families/estate/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { moveBody } from "#kernel/records/open-body.js";
import { OfAsset, reading, tag } from "../targets/view/path.js";
import { EXECUTE } from "./execute/begin.js";
import { ToolAnswer, ToolRequest } from "./execute/body.js";
import { executeTool } from "./execute/execute.js";
import { IssuedToken, TokenRequest } from "./issue/body.js";
import { issueToken } from "./issue/issue.js";
import { listTools, OpenTools, ToolsRequest } from "./list/list.js";
import { agentToolTokenStatus } from "./machine.js";
import { AgentToolToken, agentToolTokens } from "./schema.js";
import { RuntimeTest, RuntimeTestRequest } from "./test/body.js";
import { lookThrough, storeTest } from "./test/test.js";

const OF_ASSET = "/api/v1/ai-assets/{assetId}";
const may = (permission: "agent-tool-token:issue" | "agent-tool-token:revoke" | "agent-tool:test") =>
  ({ permission, capability: "access_governance" }) as const;

export const issueAgentToolToken = defineOperation({
  tag,
  id: "agentToolTokens.issue",
  method: "POST",
  path: `${OF_ASSET}/agent-tool-token`,
  summary: "Issue a short-lived token with which an AI asset runs tools",
  description:
    "It rests on access in force, and is looked at with each call. It lasts no longer than that access. The token itself is shown this once.",
  access: may("agent-tool-token:issue"),
  params: OfAsset,
  body: TokenRequest.optional(),
  success: { status: 200, schema: IssuedToken },
  errors: ["invalid_reference", "limit_exceeded", "transition_guard_failed"],
  killSwitches: [EXECUTE],
  secret: true,
  handler: (ctx, { params, body = {} }) => issueToken(ctx, params.assetId, body),
});

export const listAgentToolTokens = defineOperation({
  ...reading,
  tag,
  id: "agentToolTokens.list",
  path: `${OF_ASSET}/agent-tool-tokens`,
  summary: "List the tokens of an AI asset for tools, without the tokens themselves",
  extension: true,
  params: OfAsset,
  query: listQuery(agentToolTokens),
  success: { status: 200, schema: pageOf(AgentToolToken) },
  async handler(ctx, { params, query }) {
    const { id } = await ctx.getOrThrow(assets, params.assetId);
    return ctx.page(agentToolTokens, query, { where: { assetId: id } });
  },
});

export const revokeAgentToolToken = defineOperation({
  tag,
  id: "agentToolTokens.revoke",
  stops: true,
  method: "POST",
  path: `${OF_ASSET}/agent-tool-tokens/{tokenId}/revoke`,
  summary: "End a token for tools",
  extension: true,
  access: may("agent-tool-token:revoke"),
  params: OfAsset.extend({
    tokenId: z.string().meta({ description: "Id of the token.", example: "att_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }),
  }),
  body: moveBody({
    id: "AgentToolTokenRevocation",
    to: "revoked",
    example: { reason: "The agent has what it needs." },
  }),
  success: { status: 200, schema: AgentToolToken },
  errors: ["invalid_transition"],
  async handler(ctx, { params, body: { reason } }) {
    const token = await ctx.getForUpdate(agentToolTokens, params.tokenId);
    if (token.assetId !== params.assetId) throw new ReeveError("not_found");
    if (token.status === "revoked") return token;
    const patch = { endedAt: ctx.now, endReason: reason ?? null };
    const options = { reason, patch };
    return ctx.transition(agentToolTokens, agentToolTokenStatus, token, { event: "revoke" }, options);
  },
});

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

export const testRuntime = defineOperation({
  tag,
  id: "agentTools.runtimeTest",
  method: "POST",
  path: `${OF_ASSET}/runtime-test`,
  summary: "Test whether an AI asset could run a tool, and where it would stop",
  description:
    "The steps are those of a real call, with a token that exists in memory only. It counts nowhere as use. With `execute` a tool that only reads is run.",
  access: may("agent-tool:test"),
  unkept: ["arguments"],
  params: OfAsset,
  body: RuntimeTestRequest.optional(),
  success: { status: 200, schema: RuntimeTest },
  killSwitches: ["connectors.outbound"],
  expensive: true,
  prepare: (ctx, { params, body = {} }) => lookThrough(ctx, params.assetId, body),
  handler: (ctx, { params, body = {} }, tested) => storeTest(ctx, params.assetId, body, tested),
});
