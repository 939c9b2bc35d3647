import { invalidProperty } from "#kernel/http/errors.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import { toolStatus } from "../machine.js";
import type { EFFECTS, Tool } from "../schema.js";
import { tools } from "../schema.js";
import { approvalPatch, involvedInServer, requireSeen } from "../status-moves.js";

/** What a reviewer decides about a tool. */
export interface ToolDecision {
  readonly status: "approved" | "blocked" | "pending_review";
  /** `pin.current` of what was reviewed. */
  readonly digest?: string | undefined;
  readonly effects?: readonly (typeof EFFECTS)[number][] | undefined;
  readonly requiresApproval?: boolean | undefined;
  readonly reason?: string | undefined;
}

/**
 * Decides about a tool as a reviewer. An approval binds to the content that was seen, and is given again to say other
 * effects.
 */
export async function reviewTool(ctx: Context, tool: Tool, decision: ToolDecision): Promise<Tool> {
  const { status, digest, effects, requiresApproval, reason } = decision;
  const said = {
    ...(effects === undefined ? {} : { effects: [...effects] }),
    ...(requiresApproval === undefined ? {} : { requiresApproval }),
  };
  const saysMore = Object.keys(said).length > 0;
  if (status !== "approved") {
    if (saysMore) throw invalidProperty("/status", "Effects are said with an approval.");
    return ctx.transition(tools, toolStatus, tool, { to: status }, { reason, patch: reviewedBy(ctx, reason) });
  }
  requireSeen(ctx, tool, digest);
  if (saysMore) requireReason(reason);
  const patch = { ...approvalPatch(ctx, tool, status), ...said, ...reviewedBy(ctx, reason) };
  const involved = await involvedInServer(ctx, tool);
  const event = tool.status === "approved" ? "renew" : "approve";
  return ctx.transition(tools, toolStatus, tool, { event }, { reason, patch, involved });
}

function reviewedBy(ctx: Context, reason: string | undefined): Pick<Tool, "reviewed"> {
  return { reviewed: { by: ctx.principal.userId, at: ctx.now, rationale: reason ?? null } };
}
