import { requirePermission } from "#kernel/operation/permission.js";
import { NONE_INVOLVED, withInvolved } from "#kernel/records/involved.js";
import { isSame } from "#kernel/records/is-same.js";
import { defineRecordKind } from "../records/declare/kind.js";
import { toolStatus } from "./machine.js";
import { checkTool, followContent } from "./rules.js";
import { TOOL_DEFAULTS, TOOL_READ_ONLY, type Tool, ToolFields, toolReferences, tools } from "./schema.js";
import { alignReview, alignStatus, approvalPatch, involvedInServer, requireSeen } from "./status-moves.js";

/** Tools as the typed records of assets of type `tool`. */
export const toolKind = defineRecordKind<Tool, ToolFields>({
  assetType: "tool",
  permission: "ai-tool",
  capability: "ai_registry",
  collection: tools,
  status: {
    machine: toolStatus,
    patch(ctx, tool, to) {
      if (to === "approved") requireSeen(ctx, tool);
      return approvalPatch(ctx, tool, to);
    },
    involved: involvedInServer,
  },
  fields: ToolFields,
  defaults: TOOL_DEFAULTS,
  readOnly: TOOL_READ_ONLY,
  references: toolReferences,
  check(ctx, { fields }, before) {
    checkTool(fields, before);
    const { effects, requiresApproval } = before ?? TOOL_DEFAULTS;
    const now = { effects: fields.effects ?? effects, requiresApproval: fields.requiresApproval ?? requiresApproval };
    if (!isSame(now, { effects, requiresApproval })) requirePermission(ctx.env, ctx.principal, "ai-tool:approve");
  },
  complete(ctx, given, before) {
    const origin = given.origin ?? before?.origin ?? (given.serverId ? "mcp" : TOOL_DEFAULTS.origin);
    const effectsFrom = given.effects && !same(given.effects, before?.effects ?? []) ? "review" : before?.effectsFrom;
    const next = { ...(before ?? TOOL_DEFAULTS), ...given, ...(effectsFrom ? { effectsFrom } : {}) };
    const followed = followContent(next);
    // Content of a server's tool that no scan has confirmed cannot be approved.
    const pin = next.serverId !== null && next.seenAt === null ? next.pin : followed.pin;
    // Who scans a server says nothing of its tools.
    const involved =
      before || next.seenAt !== null ? {} : { involved: withInvolved(NONE_INVOLVED, [ctx.principal.userId]) };
    return { ...followed, pin, origin, ...involved };
  },
  finalize: async (ctx, tool, before) => alignReview(ctx, await alignStatus(ctx, tool), before),
  unready: ({ status, pin }) =>
    status === "approved" && pin.state === "in_sync" ? undefined : `What the tool says is not approved (${status}).`,
  unusable: ({ status, seenAt }) =>
    status === "approved" || (status === "pending_review" && seenAt === null) ? undefined : `tool_status:${status}`,
  material: (before, after) => (before.pin.current === after.pin.current ? [] : ["pin"]),
});

const same = (one: readonly string[], other: readonly string[]) => isSame(one, other);
