import type { Context } from "#kernel/operation/context.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { timestamp } from "#ports/clock.js";
import { approvedBounds, exemptionsInForce } from "../rules.js";
import type { AccessRequest } from "../schema.js";

/** What an approval sets: how long the access lasts, until when it can be used, and how it was decided. */
export function approvalPatch(
  ctx: Context,
  request: AccessRequest,
  code: "approved" | "auto",
  reason: string | null,
): Partial<AccessRequest> {
  const narrowed = request.votes.flatMap(({ stale, decision, narrowed: by }) =>
    by && !stale && decision === "approve" ? [by] : [],
  );
  const ends = exemptionsInForce(request, ctx.now).map(({ expiresAt }) => expiresAt);
  const from = Math.max(ctx.request.nowMs, request.notBefore === null ? 0 : Date.parse(request.notBefore));
  return {
    granted: approvedBounds(request, narrowed, ends),
    approvalEndsAt: timestamp(from + millisecondsOf(request.approvalValidFor)),
    lookAgainAt: ctx.now,
    awaitingInfo: false,
    resolution: { by: ctx.principal.userId, at: ctx.now, code, reason },
  };
}
