import type { Context } from "#kernel/operation/context.js";
import { accessRequestStatus } from "../machine.js";
import { type AccessRequest, accessRequests } from "../schema.js";

/** Rejects what can no longer be granted. */
export function refuse(
  ctx: Context,
  request: AccessRequest,
  code: NonNullable<AccessRequest["resolution"]>["code"],
  reason: string,
  more: Partial<AccessRequest> = {},
): Promise<AccessRequest> {
  const resolution = { by: "system", at: ctx.now, code, reason };
  const options = { triggeredBy: "policy", reason, patch: { ...more, resolution, lookAgainAt: null } } as const;
  return ctx.transition(accessRequests, accessRequestStatus, request, { event: "refuse" }, options);
}
