import type { Context } from "../../../../kernel/operation/context.js";
import type { JoinedRecord } from "../../records/declare/kind.js";
import { registerAsset } from "../../records/write/register.js";
import { toolStatus } from "../machine.js";
import { followContent } from "../rules.js";
import { type Tool, tools } from "../schema.js";
import { alignStatus, approvalPatch, follow } from "../status/moves.js";
import { type ToolContent, withApproval } from "./pin.js";

/** What a scan says of a tool; its name is known. */
export type ObservedContent = ToolContent & { readonly toolName: string };

type Server = Pick<JoinedRecord, "assetId" | "provider" | "environment" | "owner" | "sponsor">;

/** Registers a tool that a scan has found at a server, `pending_review`, with an asset of its own that was discovered. */
export async function registerServerTool(ctx: Context, server: Server, content: ObservedContent): Promise<Tool> {
  const { provider, environment, owner, sponsor } = server;
  const { record } = await registerAsset(
    ctx,
    {
      fields: { assetType: "tool", source: "discovery", provider, environment, owner, sponsor },
      free: { name: content.toolName.trim().slice(0, 200) || "unnamed tool" },
      status: undefined,
      reason: undefined,
    },
    { fields: { origin: "mcp", serverId: server.assetId, ...content, seenAt: ctx.now }, free: {} },
  );
  return record as Tool;
}

/**
 * Notes what a scan has found a tool to say. An approved one that says something else becomes `changed`, and one that was
 * removed is back where it belongs: approved only when it says what was approved. A blocked one stays blocked.
 */
export async function observeTool(ctx: Context, tool: Tool, content: ObservedContent): Promise<Tool> {
  const followed = followContent({ ...tool, ...content });
  const seen = await ctx.update(tools, tool, { ...content, ...followed, seenAt: ctx.now });
  if (seen.status !== "removed") return alignStatus(ctx, seen);
  const back = { unapproved: "pending_review", in_sync: "approved", drifted: "changed" } as const;
  return follow(ctx, seen, { to: back[seen.pin.state] }, "Its server has it again.");
}

/** Notes that a server has a tool no more; a blocked one stays blocked. */
export async function removeTool(ctx: Context, tool: Tool): Promise<Tool> {
  if (tool.status === "removed" || tool.status === "blocked") return tool;
  return follow(ctx, tool, { event: "remove" }, "Its server has it no more.");
}

/** Approves what a tool says now, as the caller: the permission `ai-tool:approve` and a person are needed. */
export function approveTool(ctx: Context, tool: Tool, reason?: string): Promise<Tool> {
  const patch = approvalPatch(ctx, tool, "approved");
  return ctx.transition(tools, toolStatus, tool, { event: "approve" }, { reason, patch });
}

/** Approves what a tool says now by a rule, for servers whose tools are accepted as they come. */
export function acceptTool(ctx: Context, tool: Tool, reason: string): Promise<Tool> {
  const pin = withApproval(tool.pin, ctx.now, ctx.principal.userId);
  return follow(ctx, tool, { event: "accept" }, reason, { pin });
}
