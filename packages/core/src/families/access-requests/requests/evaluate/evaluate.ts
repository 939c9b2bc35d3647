import { accessIdentities } from "#families/access/index.js";
import type { Context } from "#kernel/operation/context.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { timestamp } from "#ports/clock.js";
import { itemsFor } from "../create/items.js";
import { advance } from "../decide/advance.js";
import { approvalPatch } from "../decide/approval.js";
import { accessRequestStatus } from "../machine.js";
import { requestScopeHash } from "../rules.js";
import { type AccessRequest, accessRequests } from "../schema.js";
import { type Plan, planFor } from "./plan.js";

/**
 * Looks at what a request takes by the policies and profiles of this moment. Nothing happens while they are the same;
 * otherwise earlier votes count no more. What waits for people is never allowed without them.
 */
export async function evaluate(ctx: Context, request: AccessRequest): Promise<AccessRequest> {
  const { status } = request;
  if (status !== "submitted" && status !== "pending_approval")
    throw transitionRefused(`It is ${status}.`, { machine: accessRequestStatus, current: status });
  const fresh = await refreshed(ctx, request);
  const plan = await planFor(ctx, fresh);
  if (request.evaluation?.inputsHash === plan.evaluation.inputsHash) return request;
  if (plan.evaluation.decision === "deny") return deny(ctx, request, fresh, plan);
  if (status === "submitted" && plan.evaluation.decision === "allow") return allow(ctx, request, plan);
  const asked = await asking(ctx, fresh, plan);
  if (status === "submitted")
    return ctx.transition(
      accessRequests,
      accessRequestStatus,
      request,
      { event: "ask" },
      { triggeredBy: "policy", patch: asked },
    );
  const event = { type: "access.request.re_evaluated", data: { scopeHash: fresh.scopeHash } };
  return ctx.update(accessRequests, request, { ...asked, awaitingInfo: false }, { event, stamp: false });
}

/** The request with what its profiles mean now. 409 when somebody can ask for one of them no more. */
async function refreshed(ctx: Context, request: AccessRequest): Promise<AccessRequest> {
  const identity = await ctx.getOrThrow(accessIdentities, request.identityId);
  const wanted = request.items.map(({ accessProfileId, resourceId, parameters }) => ({
    ...{ accessProfileId, resourceId, parameters },
  }));
  const { items } = await itemsFor(ctx, identity, wanted);
  const same = items.map((item, at) => ({ ...item, key: request.items[at]?.key ?? item.key }));
  const scopeHash = requestScopeHash({ ...request, items: same });
  return { ...request, items: same, scopeHash };
}

/** A request as it asks people, with votes that count no more. */
async function asking(ctx: Context, fresh: AccessRequest, plan: Plan): Promise<Partial<AccessRequest>> {
  const { policies, editors, stages, approvalValidFor } = plan;
  const evaluation = { ...plan.evaluation, decision: "require_approval" } as const;
  const votes = fresh.votes.map((vote) => ({ ...vote, stale: true }));
  const { items, scopeHash } = fresh;
  const known = { items, scopeHash, policies, editors, evaluation, approvalValidFor, autoAllowedBy: null };
  const next = await advance(ctx, { ...fresh, ...known, stages, votes }, true);
  return { ...known, exemptions: [], stages: next.stages, votes: next.votes, lookAgainAt: next.lookAgainAt };
}

function deny(ctx: Context, request: AccessRequest, { items, scopeHash }: AccessRequest, plan: Plan) {
  const { policies, editors, evaluation } = plan;
  const isConflict = evaluation.conflicts.some(({ onHit }) => onHit === "deny");
  const reason = evaluation.explanations[0] ?? "A policy denies it.";
  const resolution = { by: "system", at: ctx.now, code: isConflict ? "conflict" : "denied", reason } as const;
  const patch = { items, scopeHash, policies, editors, evaluation, resolution, lookAgainAt: null };
  const options = { triggeredBy: "policy", reason, patch } as const;
  return ctx.transition(accessRequests, accessRequestStatus, request, { event: "refuse" }, options);
}

function allow(
  ctx: Context,
  request: AccessRequest,
  { policies, editors, evaluation, autoAllowedBy, approvalValidFor }: Plan,
) {
  const known = { policies, editors, evaluation, autoAllowedBy, approvalValidFor };
  const reason = evaluation.explanations.at(-1) ?? "A policy allows it.";
  const patch = { ...known, ...approvalPatch(ctx, { ...request, ...known }, "auto", reason) };
  const options = { triggeredBy: "policy", reason, patch } as const;
  return ctx.transition(accessRequests, accessRequestStatus, request, { event: "allow" }, options);
}

/**
 * Has people decide again about what was approved and means something else by now, or was approved by somebody who may
 * not any more. There is always a stage, also where a policy had allowed it.
 */
export async function reopen(ctx: Context, request: AccessRequest, reason: string): Promise<AccessRequest> {
  const fresh = await refreshed(ctx, request);
  const plan = await planFor(ctx, fresh);
  if (plan.evaluation.decision === "deny") return deny(ctx, request, fresh, plan);
  const asked = await asking(ctx, { ...fresh, status: "pending_approval" }, plan);
  // The time in which it was to be approved at first may be over for long.
  const pendingExpiresAt = timestamp(ctx.request.nowMs + millisecondsOf(plan.pendingFor));
  const patch = { ...asked, granted: null, resolution: null, approvalEndsAt: null, pendingExpiresAt };
  const options = { triggeredBy: "policy", reason, patch } as const;
  return ctx.transition(accessRequests, accessRequestStatus, request, { event: "reopen" }, options);
}
