import type { Context } from "../../../../kernel/operation/context.js";
import { toolStatus } from "../machine.js";
import { withApproval } from "../pin/pin.js";
import { type Tool, tools } from "../schema.js";

/** Fields that change with the status: an approval covers the current content and the effects. */
export function approvalPatch(ctx: Context, tool: Tool, to: string): Partial<Tool> {
  if (to !== "approved") return {};
  return { pin: withApproval(tool.pin, ctx.now, ctx.principal.userId), effectsFrom: "review" };
}

/** Moves an approved tool with other content to `changed`, and back when it has its approved content again. */
export async function alignStatus(ctx: Context, tool: Tool): Promise<Tool> {
  const { state } = tool.pin;
  if (tool.status === "approved" && state === "drifted")
    return follow(ctx, tool, { event: "change" }, "It says something else than what was approved.");
  if (tool.status === "changed" && state === "in_sync")
    return follow(ctx, tool, { event: "revert" }, "It says again what was approved.");
  return tool;
}

type Row = (typeof toolStatus.transitions)[number];

/** A transition by a rule or a scan. */
export function follow(
  ctx: Context,
  tool: Tool,
  move: { readonly event: Row["event"] } | { readonly to: Row["to"] },
  reason: string,
  patch: Partial<Tool> = {},
): Promise<Tool> {
  return ctx.transition(tools, toolStatus, tool, move, { triggeredBy: "policy", reason, patch });
}
