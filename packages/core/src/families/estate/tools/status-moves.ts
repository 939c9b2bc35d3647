import { ReeveError } from "#kernel/http/errors.js";
import { requireNamedVersion } from "#kernel/http/version-condition.js";
import type { Context } from "#kernel/operation/context.js";
import { involvedIn } from "#kernel/operation/four-eyes.js";
import { kindOf } from "../records/declare/kinds.js";
import { toolStatus } from "./machine.js";
import { withApproval } from "./pin-tool.js";
import { type Tool, tools } from "./schema.js";

/** Fields that change with the status: an approval covers the current content and the effects. */
export function approvalPatch(ctx: Context, tool: Tool, to: string): Partial<Tool> {
  if (to !== "approved") return {};
  return { pin: withApproval(tool.pin, ctx.now, ctx.principal.userId), effectsFrom: "review" };
}

/** 428 for an approval that names neither the version nor the digest that the reviewer has seen. 412 with another. */
export function requireSeen({ request: { ifMatch } }: Context, { pin }: Tool, digest?: string): void {
  // There is nothing to see, and so nothing to approve.
  if (pin.current === null) return;
  if (digest === undefined) requireNamedVersion(ifMatch);
  if (digest !== undefined && digest !== pin.current)
    throw new ReeveError("precondition_failed", undefined, { members: { current: pin.current } });
}

/** Those involved in the server that offers a tool, because they are behind what it says. */
export async function involvedInServer(ctx: Context, { serverId }: Pick<Tool, "serverId">): Promise<readonly string[]> {
  if (serverId === null) return [];
  const kind = kindOf(ctx.env, "mcp_server");
  const server = kind && (await ctx.db.lookup(kind.collection, "asset", { assetId: serverId }));
  return server ? involvedIn(server.value).ids : [];
}

/** Sends an approved tool back to review when somebody has lowered what its reviewer said of it. */
export async function alignReview(ctx: Context, tool: Tool, before: Tool | undefined): Promise<Tool> {
  if (!before || tool.status !== "approved" || !isLowered(before, tool)) return tool;
  const pin = { ...tool.pin, approved: null, state: "unapproved", approvedAt: null, approvedBy: null } as const;
  return follow(ctx, tool, { event: "reopen" }, "What its reviewer said of it was lowered.", { pin });
}

function isLowered(before: Tool, after: Tool): boolean {
  const gone = before.effects.some((effect) => effect !== "read" && !after.effects.includes(effect));
  return gone || (before.requiresApproval && !after.requiresApproval);
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
