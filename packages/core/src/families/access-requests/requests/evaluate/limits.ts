import type { AccessPolicy } from "#families/access/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { type AccessRequest, accessRequests } from "../schema.js";

type Asked = Pick<AccessRequest, "duration" | "expiresAt" | "isPermanent" | "notBefore">;

/**
 * Why a request is beyond the limits of a policy that allows; `undefined` when it is within. It counts within the
 * transaction, which the store runs one at a time for each tenant, so that requests at once never pass together.
 */
export async function withinLimits(
  ctx: ReadContext,
  request: Asked,
  { id, limits }: AccessPolicy,
  ofAsset: number,
): Promise<string | undefined> {
  if (!limits) return "It takes an approval.";
  const { mostPerDay, mostPerAsset, maxDuration } = limits;
  if (request.isPermanent) return "Access without an end takes an approval.";
  if (maxDuration !== undefined && lengthOf(ctx, request) > millisecondsOf(maxDuration))
    return "It lasts longer than is allowed without an approval.";
  if (ofAsset > mostPerAsset) return "The asset has as much of it as is allowed without an approval.";
  const since = timestamp(ctx.request.nowMs - daysMs(1));
  const where = { autoAllowedBy: id };
  const order = { by: "allowedAt", direction: "asc" } as const;
  const { rows } = await ctx.db.find(accessRequests, { where, order, range: { from: since }, size: mostPerDay });
  return rows.length >= mostPerDay ? "As much as is allowed in a day was asked for." : undefined;
}

/** How long access lasts that is asked for, in milliseconds. */
export function lengthOf(ctx: ReadContext, { duration, expiresAt, notBefore }: Asked): number {
  if (duration !== null) return millisecondsOf(duration);
  const from = Math.max(ctx.request.nowMs, notBefore === null ? 0 : Date.parse(notBefore));
  return expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - from;
}
