import { accessAssignments, endAssignment, holdingOf } from "#families/access-grants/index.js";
import { assets } from "#families/estate/index.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import type { RequestCancellation } from "./decide/body.js";
import { accessRequestStatus } from "./machine.js";
import { type AccessRequest, accessRequests, type RequestItem } from "./schema.js";

/**
 * Takes a request back, and ends what was granted of it unless that is to stay. Whoever asked and the asset's owner
 * may; others take a permission of their own.
 */
export async function cancel(ctx: Context, id: string, { reason, keepGranted = false, metadata }: RequestCancellation) {
  const request = await ctx.getForUpdate(accessRequests, id);
  if (request.status === "cancelled") return request;
  const given = requireReason(reason);
  const { userId } = ctx.principal;
  const owner = (await ctx.db.get(assets, request.assetId))?.value.owner;
  const isOwn = request.requestedBy === userId || owner?.id === userId;
  const resolution = { by: userId, at: ctx.now, code: "cancelled", reason: given } as const;
  const items = keepGranted ? request.items : request.items.map(ended);
  const options = { reason: given, patch: { resolution, items, lookAgainAt: null }, metadata };
  const move = { event: isOwn ? "cancel" : "cancel_any" } as const;
  const cancelled = await ctx.transition(accessRequests, accessRequestStatus, request, move, options);
  if (!keepGranted) await takeBack(ctx, request, given);
  return cancelled;
}

const ended = (item: RequestItem): RequestItem =>
  item.status === "provisioned" || item.status === "provisioning" ? { ...item, status: "ended" } : item;

/** Ends the access that a request has led to. An assignment that it only changed stays. */
async function takeBack(ctx: Context, { items, assignmentId: changed }: AccessRequest, reason: string): Promise<void> {
  const ids = items.flatMap(({ assignmentId }) =>
    assignmentId === null || assignmentId === changed ? [] : [assignmentId],
  );
  for (const row of ids.length > 0 ? await ctx.db.getMany(accessAssignments, ids) : []) {
    const one = await ctx.current(accessAssignments, row);
    if (holdingOf(one))
      await endAssignment(ctx, one, { endReason: "request_cancelled", reason, triggeredBy: "system" });
  }
}
