import { defineFollower } from "#kernel/operation/area.js";
import { requirePermission } from "#kernel/operation/permission.js";
import { tools } from "../schema.js";

/**
 * 403 for the removal of a tool that was blocked, bound to consent or judged by a review, by those who may not approve
 * tools: the next scan of its server would register it anew.
 */
export const keepBlocked = defineFollower(tools, async (ctx, { before, after }) => {
  if (after || !before?.serverId) return;
  if (before.status !== "blocked" && !before.requiresApproval && before.effectsFrom !== "review") return;
  requirePermission(ctx.env, ctx.principal, "ai-tool:approve");
});
