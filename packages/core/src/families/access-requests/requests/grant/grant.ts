import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { timestamp } from "#ports/clock.js";
import { RESOLUTIONS } from "../fields.js";
import { accessRequestStatus } from "../machine.js";
import { type AccessRequest, accessRequests } from "../schema.js";
import { evaluateAgain } from "./again.js";
import { begin } from "./begin.js";
import { grantBlocker } from "./blockers.js";
import { refuse } from "./refuse.js";

/** How long until a target that is not ready is looked at again. */
const LOOK_AGAIN = 300_000;

const GRANTABLE: ReadonlySet<AccessRequest["status"]> = new Set([
  ...(["approved", "scheduled", "partially_provisioned", "provision_failed"] as const),
]);

/**
 * Grants what was approved, unless something is in its way by now. `asked`: somebody waits for an answer, and is told
 * with 409 what keeps the target from granting it.
 */
export async function grant(ctx: Context, request: AccessRequest, asked: boolean): Promise<AccessRequest> {
  if (!GRANTABLE.has(request.status))
    throw transitionRefused(`It is ${request.status}.`, { machine: accessRequestStatus, current: request.status });
  const isWaiting = request.status === "approved" || request.status === "scheduled";
  if (isWaiting && request.notBefore !== null && request.notBefore > ctx.now) return schedule(ctx, request);
  if (!isWaiting && request.approvalEndsAt !== null && request.approvalEndsAt <= ctx.now)
    throw new ReeveError("transition_guard_failed", "Its approval is too old to be used again. Ask anew.");
  const blocker = await grantBlocker(ctx, request);
  if (!blocker) return begin(ctx, request);
  const { code, message, remedy } = blocker;
  if (remedy === "decide" && isWaiting) return evaluateAgain(ctx, request, message);
  if (remedy === "none" && isWaiting)
    return refuse(ctx, request, isResolution(code) ? code : "not_requestable", message);
  const advice = remedy === "decide" ? " Cancel it, and ask anew for what is missing." : "";
  if (asked) throw new ReeveError("transition_guard_failed", `${message}${advice}`);
  const lookAgainAt = isWaiting ? timestamp(ctx.request.nowMs + LOOK_AGAIN) : null;
  return ctx.update(accessRequests, request, { lookAgainAt }, { event: false, stamp: false, touch: true });
}

type Resolution = (typeof RESOLUTIONS)[number];
const isResolution = (code: string): code is Resolution => (RESOLUTIONS as readonly string[]).includes(code);

function schedule(ctx: Context, request: AccessRequest): Promise<AccessRequest> | AccessRequest {
  if (request.status === "scheduled") return request;
  const options = { triggeredBy: "policy", patch: { lookAgainAt: request.notBefore } } as const;
  return ctx.transition(accessRequests, accessRequestStatus, request, { event: "schedule" }, options);
}
