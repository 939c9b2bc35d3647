import { blockersOf } from "#families/access/index.js";
import { subjectOf } from "#kernel/events/record-events.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { refuseMisplaced } from "#kernel/http/misplaced.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import { defineFourEyes, requireFourEyes } from "#kernel/operation/four-eyes.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { unresolvedConflicts } from "../conflicts/unresolved.js";
import { changeBlockers } from "../create/change.js";
import { accessRequestStatus } from "../machine.js";
import { exemptionsInForce } from "../rules.js";
import { type AccessRequest, accessRequests, activeStage, type RequestStage, type Vote } from "../schema.js";
import { advance } from "./advance.js";
import { approvalPatch } from "./approval.js";
import type { RequestApproval } from "./body.js";
import { involvedInRequest, isAsked } from "./candidates.js";
import { exemptionsFrom } from "./exempt.js";
import { narrowingOf } from "./narrow.js";

export const decideAboutRequest = defineFourEyes("accessRequest: decide", "Approving and rejecting access");

/** A request that waits for people, with the stage that asks them. */
interface Open {
  readonly request: AccessRequest;
  readonly stage: RequestStage;
  readonly at: number;
}

/** Which decisions each property is for. */
const FOR = {
  grantedDuration: ["approve"],
  expiresAt: ["approve"],
  parameters: ["approve"],
  exemptions: ["approve"],
} as const satisfies Partial<Record<keyof RequestApproval, readonly RequestApproval["decision"][]>>;

/**
 * Stores what an approver says, and what the approvals come to. 403 for those who are not asked, or have a conflict of
 * interest; 400 for what does not go with the decision; 409 when it is not what was looked at, or conflicts with other access.
 */
export async function approve(ctx: Context, id: string, given: RequestApproval): Promise<AccessRequest> {
  const request = await ctx.getForUpdate(accessRequests, id);
  const decision = given.decision ?? "approve";
  refuseMisplaced(given, decision, FOR);
  if (decision === "approve" && hasApproved(ctx, request)) return request;
  const open = requireOpen(request);
  if (decision !== "approve") return remark(ctx, open, { ...given, decision });
  await requireSame(ctx, request, given.expectedScopeHash);
  const relatedParty = await requireApprover(ctx, open);
  const narrowed = await narrowingOf(ctx, request, given);
  const more = await exemptionsFrom(ctx, request, given.exemptions ?? []);
  const own = voteOf(ctx, open, { decision, reason: given.reason ?? null, narrowed, relatedParty });
  const others = withoutOwn(request, own);
  const exemptions = [...exemptionsInForce({ ...request, votes: others }, ctx.now), ...more];
  const voted = { ...request, votes: [...others, own], exemptions };
  const next = await advance(ctx, voted, false);
  const { stages, votes, lookAgainAt } = next;
  if (!next.isDone) return recorded(ctx, request, { stages, votes, exemptions, lookAgainAt, awaitingInfo: false }, own);
  const approved = { ...voted, stages, votes };
  const conflicts = await unresolvedConflicts(ctx, approved);
  if (conflicts.length > 0) throw new ReeveError("sod_conflict", conflicts[0]?.text, { members: { conflicts } });
  const patch = { stages, votes, exemptions, ...approvalPatch(ctx, approved, "approved", own.reason) };
  const options = { reason: given.reason, patch, metadata: given.metadata };
  return ctx.transition(accessRequests, accessRequestStatus, request, { event: "approve" }, options);
}

/** Stores a refusal. As many as the stage takes reject the request. */
export async function reject(
  ctx: Context,
  id: string,
  given: Pick<RequestApproval, "reason" | "expectedScopeHash" | "metadata">,
): Promise<AccessRequest> {
  const request = await ctx.getForUpdate(accessRequests, id);
  const { userId } = ctx.principal;
  const last = request.votes.findLast(({ by, stale }) => by === userId && !stale);
  if (request.status === "rejected" && last?.decision === "reject") return request;
  const open = requireOpen(request);
  const { stage, at } = open;
  const reason = requireReason(given.reason);
  if (given.expectedScopeHash !== undefined) await requireSame(ctx, request, given.expectedScopeHash);
  const relatedParty = await requireApprover(ctx, open);
  const own = voteOf(ctx, open, { decision: "reject", reason, narrowed: null, relatedParty });
  const others = withoutOwn(request, own);
  const votes = [...others, own];
  const exemptions = exemptionsInForce({ ...request, votes: others }, ctx.now);
  const against = votes.filter((vote) => vote.stage === at && vote.decision === "reject" && !vote.stale);
  if (against.length < stage.denyThreshold) return recorded(ctx, request, { votes, exemptions }, own);
  const stages = request.stages.map((one) => (one === stage ? { ...one, status: "rejected" as const } : one));
  const resolution = { by: userId, at: ctx.now, code: "rejected", reason } as const;
  const patch = { votes, stages, exemptions, resolution, lookAgainAt: null };
  const options = { reason, patch, metadata: given.metadata };
  return ctx.transition(accessRequests, accessRequestStatus, request, { event: "reject" }, options);
}

/** Whether the caller's approval counts already, so that the same again changes nothing. */
function hasApproved({ principal }: Context, { status, stages, votes }: AccessRequest): boolean {
  const at = stages.findIndex((stage) => stage.status === "active");
  return votes.some(
    (vote) =>
      vote.by === principal.userId &&
      vote.decision === "approve" &&
      !vote.stale &&
      (status === "pending_approval" ? vote.stage === at : status !== "submitted"),
  );
}

function requireOpen(request: AccessRequest): Open {
  const stage = activeStage(request);
  if (stage) return { request, stage, at: request.stages.indexOf(stage) };
  throw transitionRefused(`It is ${request.status}.`, { machine: accessRequestStatus, current: request.status });
}

/** An approval is about what was looked at, and that is what the profiles mean and the assignment is now. */
async function requireSame(ctx: Context, request: AccessRequest, seen: string | undefined): Promise<void> {
  const { scopeHash } = request;
  if (seen === undefined) throw invalidProperty("/expectedScopeHash", "Name what you have looked at.");
  const members = { current: scopeHash };
  if (seen !== scopeHash) throw new ReeveError("scope_changed", "It asks for something else by now.", { members });
  const [changed] = await blockersOf(ctx, request, "approve");
  if (changed) throw new ReeveError("scope_changed", `${changed.message} Evaluate the request again.`, { members });
  const [obstacle] = await changeBlockers(ctx, request);
  if (obstacle) throw new ReeveError("scope_changed", obstacle.message, { members });
}

/**
 * 403 unless the caller is asked and has no conflict of interest. Returns whether the caller is related to somebody
 * involved.
 */
async function requireApprover(ctx: Context, { request, stage, at }: Open): Promise<boolean> {
  const involved = [...(await involvedInRequest(ctx, request, at)).keys()];
  const relatedParty = await requireFourEyes(ctx, {
    act: decideAboutRequest.act,
    subject: subjectOf(accessRequests, request.id),
    name: request.name,
    involved: { ids: involved, beyond: 0 },
    related: [request.assetId],
  });
  if (isAsked(stage, ctx.principal)) return relatedParty;
  throw new ReeveError("approver_not_eligible", "Only those whom this round asks decide it.");
}

function voteOf(
  ctx: Context,
  { request, at }: Open,
  vote: Pick<Vote, "decision" | "reason" | "narrowed" | "relatedParty">,
): Vote {
  return { stage: at, by: ctx.principal.userId, scopeHash: request.scopeHash, at: ctx.now, stale: false, ...vote };
}

/** The votes without the one that this vote takes the place of. */
const withoutOwn = ({ votes }: AccessRequest, { by, stage }: Vote): Vote[] =>
  votes.filter((one) => one.by !== by || one.stage !== stage || one.stale || !COUNTS.has(one.decision));

const COUNTS: ReadonlySet<string> = new Set(["approve", "reject"]);

function recorded(ctx: Context, request: AccessRequest, patch: Partial<AccessRequest>, own: Vote) {
  const { stage, decision, reason, relatedParty } = own;
  const event = { type: "access.request.vote_recorded", data: { stage, decision, reason, relatedParty } };
  return ctx.update(accessRequests, request, patch, { event });
}

/** Stores what counts for nothing: a comment, or that the approver wants to know more. */
async function remark(
  ctx: Context,
  open: Open,
  { decision, reason }: { readonly decision: "comment" | "request_info"; readonly reason?: string | undefined },
): Promise<AccessRequest> {
  const { request, stage } = open;
  if (!isAsked(stage, ctx.principal))
    throw new ReeveError("approver_not_eligible", "Only those who are asked say something.");
  if (request.votes.length >= MOST_VOTES) throw new ReeveError("limit_exceeded", "Enough was said about it.");
  const own = voteOf(ctx, open, { decision, reason: requireReason(reason), narrowed: null, relatedParty: false });
  const data = { stage: open.at, reason: own.reason };
  const votes = [...request.votes, own];
  if (decision === "comment")
    return ctx.update(accessRequests, request, { votes }, { event: { type: "access.request.commented", data } });
  const event = { type: "access.request.info_requested", data };
  return ctx.update(accessRequests, request, { votes, awaitingInfo: true }, { event });
}

/** The most votes and remarks of one request. */
const MOST_VOTES = 200;
