import { invalidProperty } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { requirePermission } from "#kernel/operation/permission.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import type { AccessRequest, ConflictExemption } from "../schema.js";
import type { RequestApproval } from "./body.js";

/** The permission that permitting a conflict takes. */
export const EXEMPT = "access-request:exempt";
/** The longest that a conflict is permitted, in milliseconds. */
const LONGEST = daysMs(366);

/** The conflicts that an approver permits for a time. 403 without the permission, 400 for one that cannot be. */
export async function exemptionsFrom(
  ctx: Context,
  { evaluation }: AccessRequest,
  given: NonNullable<RequestApproval["exemptions"]>,
): Promise<ConflictExemption[]> {
  if (given.length > 0) requirePermission(ctx.env, ctx.principal, EXEMPT);
  return given.map(({ rule, reason, expiresAt }, at) => {
    const conflict = evaluation?.conflicts.find((one) => one.rule === rule);
    if (conflict?.onHit !== "require_exemption")
      throw invalidProperty(`/exemptions/${at}/rule`, "Name a conflict of the request that can be permitted.");
    if (expiresAt <= ctx.now || expiresAt > timestamp(ctx.request.nowMs + LONGEST))
      throw invalidProperty(`/exemptions/${at}/expiresAt`, "It ends in the future, within a year.");
    return { rule, reason, expiresAt, by: ctx.principal.userId, at: ctx.now };
  });
}
