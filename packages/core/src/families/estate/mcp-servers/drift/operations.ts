import { ById } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { Metadata } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { Sha256 } from "../../assets/fields.js";
import { withExpiry } from "../../records/write/to-change.js";
import { Tool, tools } from "../../tools/schema.js";
import { PATH } from "../probe/operations.js";
import { McpServer, mcpServers } from "../schema.js";
import { approveManifest } from "./approve.js";
import { readDrift } from "./drift.js";
import { Drift } from "./schema.js";

const read = { permission: "mcp-server:read", capability: "ai_registry" } as const;
const shared = { tag: "MCP Registry", extension: true, params: ById } as const;

const { serverId: _fixed, ...toolFilters } = tools.filters;
const ofServer = { ...tools, filters: toolFilters };

export const listServerTools = defineOperation({
  ...shared,
  id: "mcpServers.listTools",
  method: "GET",
  path: `${PATH}/tools`,
  summary: "List the tools of an MCP server",
  access: read,
  query: listQuery(ofServer),
  success: { status: 200, schema: pageOf(Tool) },
  async handler(ctx, { params, query }) {
    const { assetId: serverId } = await ctx.getOrThrow(mcpServers, params.id);
    return ctx.page(tools, query, { where: { serverId } });
  },
});

export const readServerDrift = defineOperation({
  ...shared,
  id: "mcpServers.readDrift",
  method: "GET",
  path: `${PATH}/drift`,
  summary: "Show in what an MCP server differs from what was approved, field by field",
  description: "Before anything is approved, everything is new. `warnings` are hints for reviewers and decide nothing.",
  access: read,
  expensive: true,
  success: { status: 200, schema: Drift },
  handler: async (ctx, { params }) => readDrift(ctx, await ctx.getOrThrow(mcpServers, params.id)),
});

const ApprovalBody = z
  .strictObject({
    manifestDigest: Sha256.meta({ description: "`manifest.current` of what was reviewed." }),
    toolNames: z.array(z.string().min(1).max(200)).min(1).max(512).optional().meta({
      description:
        "Only these tools. Without them everything is approved but tools that are blocked, and those that find, enable or run others.",
    }),
    metadata: Metadata.optional().meta({ description: "Kept with the reason in the audit trail." }),
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
  })
  .meta({
    id: "McpApproval",
    example: {
      manifestDigest: "0000000000000000000000000000000000000000000000000000000000000000",
      reason: "Read and understood.",
    },
  });

export const approveServerTools = defineOperation({
  ...shared,
  id: "mcpServers.approveTools",
  method: "POST",
  path: `${PATH}/tools/approve`,
  summary: "Approve what an MCP server was seen to offer",
  description:
    "Binds to the snapshot with that digest: when the server has been seen to offer something else meanwhile, nothing is approved.",
  access: { permission: "ai-tool:approve", capability: "ai_registry" },
  body: ApprovalBody,
  success: { status: 200, schema: McpServer },
  errors: [
    "manifest_mismatch",
    "invalid_reference",
    "transition_guard_failed",
    "precondition_failed",
    "self_approval_forbidden",
  ],
  async handler(ctx, { params, body }) {
    const server = await ctx.getForUpdate(mcpServers, params.id);
    return approveManifest(ctx, await withExpiry(ctx, mcpServers, server), body);
  },
});
