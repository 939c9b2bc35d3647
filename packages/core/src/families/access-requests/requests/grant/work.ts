import type { Context } from "#kernel/operation/context.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { timestamp } from "#ports/clock.js";
import { unresolvedConflicts } from "../conflicts/unresolved.js";
import { advance } from "../decide/advance.js";
import { approvalPatch } from "../decide/approval.js";
import { accessRequestStatus } from "../machine.js";
import { type AccessRequest, accessRequests, activeStage, type RequestStage } from "../schema.js";
import { grant } from "./grant.js";
import { refuse } from "./refuse.js";

/** How long until a request that people must look at is looked at again. */
const LOOK_AGAIN = 900_000;

/** Does what is due about a request. It is not due any more afterwards. */
export async function workOn(ctx: Context, request: AccessRequest): Promise<unknown> {
  if (request.status === "approved" || request.status === "scheduled") return grant(ctx, request, false);
  const stage = activeStage(request);
  if (!stage) return ctx.update(accessRequests, request, { lookAgainAt: null }, { event: false, stamp: false });
  if (stage.dueAt !== null && stage.dueAt <= ctx.now) return timedOut(ctx, request, stage);
  return lookAgain(ctx, request);
}

async function timedOut(ctx: Context, request: AccessRequest, stage: RequestStage): Promise<unknown> {
  if (stage.onTimeout === "escalate" && !stage.escalated) {
    const dueAt = timestamp(ctx.request.nowMs + millisecondsOf(stage.timeout as string));
    const stages = request.stages.map((one) => (one === stage ? { ...one, escalated: true, dueAt } : one));
    const next = await advance(ctx, { ...request, stages }, true);
    const event = { type: "access.request.escalated", severity: "WARN", data: { stage: stage.name } } as const;
    const { votes, lookAgainAt } = next;
    return ctx.update(accessRequests, request, { stages: next.stages, votes, lookAgainAt }, { event, stamp: false });
  }
  const reason = `Nobody has decided "${stage.name}" in time.`;
  const stages = request.stages.map((one) => (one === stage ? { ...one, status: "timed_out" as const } : one));
  if (stage.onTimeout === "reject") return refuse(ctx, request, "timed_out", reason, { stages });
  const resolution = { by: "system", at: ctx.now, code: "timed_out", reason } as const;
  const options = { triggeredBy: "system", reason, patch: { resolution, stages, lookAgainAt: null } } as const;
  return ctx.transition(accessRequests, accessRequestStatus, request, { event: "expire" }, options);
}

/** Looks for people anew. A round that others have left may be complete by that, and then asks the next one. */
async function lookAgain(ctx: Context, request: AccessRequest): Promise<unknown> {
  const next = await advance(ctx, request, true);
  if (!next.isDone) {
    const { stages, votes, lookAgainAt } = next;
    return ctx.update(
      accessRequests,
      request,
      { stages, votes, lookAgainAt },
      { event: false, stamp: false, touch: true },
    );
  }
  const { stages, votes } = next;
  const done = { ...request, stages, votes };
  const conflicts = await unresolvedConflicts(ctx, done);
  if (conflicts.length > 0) {
    const lookAgainAt = timestamp(ctx.request.nowMs + LOOK_AGAIN);
    return ctx.update(accessRequests, request, { lookAgainAt }, { event: false, stamp: false, touch: true });
  }
  const reason = "Everybody who is asked and may still decide has approved it.";
  const patch = { stages, votes, ...approvalPatch(ctx, done, "approved", reason) };
  const options = { triggeredBy: "policy", reason, patch } as const;
  return ctx.transition(accessRequests, accessRequestStatus, request, { event: "approve" }, options);
}
