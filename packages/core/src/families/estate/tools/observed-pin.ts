import type { Context } from "#kernel/operation/context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import type { JoinedRecord } from "../records/declare/kind.js";
import { registerAsset } from "../records/write/register.js";
import { toolStatus } from "./machine.js";
import { type ToolContent, withApproval } from "./pin-tool.js";
import { followContent } from "./rules.js";
import { type Tool, tools } from "./schema.js";
import { alignStatus, approvalPatch, follow } from "./status-moves.js";

/** The content of a tool in a scan. Its name is known. */
export type ObservedContent = ToolContent & { readonly toolName: string };

type Server = Pick<JoinedRecord, "assetId" | "provider" | "environment" | "owner" | "sponsor">;

/** Registers a tool found by a scan as `pending_review`, with a discovered asset. */
export async function registerServerTool(ctx: Context, server: Server, content: ObservedContent): Promise<Tool> {
  const { provider, environment, owner, sponsor } = server;
  const { record } = await registerAsset(
    ctx,
    {
      fields: { assetType: "tool", source: "discovery", provider, environment, owner, sponsor },
      free: { name: shownName(content.toolName) },
      status: undefined,
      reason: undefined,
    },
    { fields: { origin: "mcp", serverId: server.assetId, ...content, seenAt: ctx.now }, free: {} },
  );
  return record as Tool;
}

/** The name that a server gives a tool, on one line. */
function shownName(toolName: string): string {
  return nameOf(toolName.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim()) || "unnamed tool";
}

/**
 * Stores the content of a tool in a scan. An approved tool with other content becomes `changed`. A removed tool that is
 * back is approved only with its approved content. A blocked tool stays blocked.
 */
export async function observeTool(ctx: Context, tool: Tool, content: ObservedContent): Promise<Tool> {
  const followed = followContent({ ...tool, ...content });
  const seen = await ctx.update(tools, tool, { ...content, ...followed, seenAt: ctx.now }, { involves: false });
  if (seen.status !== "removed") return alignStatus(ctx, seen);
  const back = { unapproved: "pending_review", in_sync: "approved", drifted: "changed" } as const;
  return follow(ctx, seen, { to: back[seen.pin.state] }, "Its server has it again.");
}

/** Stores that a server no longer has a tool. A blocked tool stays blocked. */
export async function removeTool(ctx: Context, tool: Tool): Promise<Tool> {
  if (tool.status === "removed" || tool.status === "blocked") return tool;
  return follow(ctx, tool, { event: "remove" }, "Its server has it no more.");
}

/**
 * Approves the current content of a tool as the caller. It takes the permission `ai-tool:approve`, and a person without
 * a conflict of interest. `involved` are people and machines behind its server.
 */
export function approveTool(
  ctx: Context,
  tool: Tool,
  involved: readonly string[],
  reason: string | undefined,
): Promise<Tool> {
  const patch = approvalPatch(ctx, tool, "approved");
  return ctx.transition(tools, toolStatus, tool, { event: "approve" }, { reason, patch, involved });
}

/** Approves the current content of a tool by a rule, for servers with the trust mode `auto_accept`. */
export function acceptTool(ctx: Context, tool: Tool, reason: string): Promise<Tool> {
  const pin = withApproval(tool.pin, ctx.now, ctx.principal.userId);
  return follow(ctx, tool, { event: "accept" }, reason, { pin });
}
