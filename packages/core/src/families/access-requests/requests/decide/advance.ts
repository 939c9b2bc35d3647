import { Reviewers } from "#families/access-reviews/index.js";
import { subjectOf } from "#kernel/events/record-events.js";
import type { Context } from "#kernel/operation/context.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { timestamp } from "#ports/clock.js";
import { approvalsOf, isShort, neededFor } from "../rules.js";
import { type AccessRequest, accessRequests, type RequestStage } from "../schema.js";
import { DECIDE, peopleOf } from "./candidates.js";
import { editedSince } from "./edited-since.js";

/** How long until people are looked for again who may decide. */
const LOOK_AGAIN = 900_000;

/** How far a request is with its votes. */
export interface Advanced extends Pick<AccessRequest, "stages" | "votes" | "lookAgainAt"> {
  /** Whether every stage has approved it. */
  readonly isDone: boolean;
}

/**
 * Goes through the stages of a request. Votes of people who may decide no more, or who have edited a policy since, stop
 * counting, also in stages that were over. The first stage that lacks approvals asks its people; `again` looks for them
 * anew.
 */
export async function advance(ctx: Context, request: AccessRequest, again: boolean): Promise<Advanced> {
  const asked = request.stages.flatMap(({ candidates }) => candidates.map(({ userId }) => userId));
  const voters = request.votes.flatMap(({ by, stale }) => (stale ? [] : [by]));
  const people = await new Reviewers(ctx, DECIDE).named([...new Set([...asked, ...voters])]);
  const working = new Set(people.map(({ id }) => id));
  const edited = await editedSince(ctx, request.votes);
  const votes = request.votes.map((vote) =>
    working.has(vote.by) && !edited.has(vote.by) ? vote : { ...vote, stale: true },
  );
  const stages: RequestStage[] = [...request.stages];
  for (const [at, before] of stages.entries()) {
    const stage = { ...before, candidates: before.candidates.filter(({ userId }) => working.has(userId)) };
    const count = approvalsOf(votes, at).length;
    if (before.status !== "pending" && count >= neededFor(stage)) {
      stages[at] = { ...stage, status: "approved" };
      continue;
    }
    const now = { ...request, votes, stages };
    stages[at] = await activated(ctx, now, at, stage, again || before.status !== "active");
    for (let later = at + 1; later < stages.length; later += 1)
      stages[later] = { ...(stages[later] as RequestStage), status: "pending", startedAt: null, dueAt: null };
    return { stages, votes, isDone: false, lookAgainAt: await missing(ctx, request, stages[at] as RequestStage) };
  }
  return { stages, votes, isDone: true, lookAgainAt: null };
}

/** A stage that asks its people, from now on or already. */
async function activated(
  ctx: Context,
  request: AccessRequest,
  at: number,
  stage: RequestStage,
  again: boolean,
): Promise<RequestStage> {
  const begun = stage.status === "active";
  const people = again || isShort(stage) ? await peopleOf(ctx, request, stage, at) : {};
  const dueAt = stage.timeout === null ? null : timestamp(ctx.request.nowMs + millisecondsOf(stage.timeout));
  return { ...stage, ...people, status: "active", ...(begun ? {} : { startedAt: ctx.now, dueAt }) };
}

/** When a stage with too few people is looked at again. It is told of once, and never approves by itself. */
async function missing(ctx: Context, request: AccessRequest, stage: RequestStage): Promise<string | null> {
  if (!isShort(stage)) return null;
  const known = request.stages.some(
    (one) => one.status === "active" && one.policyId === stage.policyId && isShort(one),
  );
  if (!known)
    await ctx.emit({
      type: "access.request.unmanned",
      severity: "WARN",
      subject: subjectOf(accessRequests, request.id),
      related: [request.assetId],
      data: { stage: stage.name, candidates: stage.candidates.length, needed: neededFor(stage) },
    });
  return timestamp(ctx.request.nowMs + LOOK_AGAIN);
}
