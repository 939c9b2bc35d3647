import { OfAsset, reading, tag } from "#families/access/index.js";
import { assets } from "#families/estate/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { moveBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { IssuedToken, TokenRequest } from "./issue/body.js";
import { issueToken } from "./issue/issue.js";
import { agentToolTokenStatus } from "./machine.js";
import { EXECUTE } from "./rules.js";
import { AgentToolToken, agentToolTokens } from "./schema.js";

const OF_ASSET = "/api/v1/ai-assets/{assetId}";
const may = (permission: "agent-tool-token:issue" | "agent-tool-token:revoke") =>
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
