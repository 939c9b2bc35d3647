import { requireNamedVersion } from "#kernel/http/version-condition.js";
import type { Context } from "#kernel/operation/context.js";
import type { DecisionTerms } from "./decision-terms.js";
import type { Remarks } from "./lifecycle/remarks.js";
import { governanceState, isApproved, stopOf } from "./machine.js";
import { type Asset, assets, type Condition, isDecision } from "./schema.js";

type GovernanceEvent = (typeof governanceState)["transitions"][number]["event"];

/** A move, and the fields that change with it. */
interface Move {
  readonly event: GovernanceEvent;
  readonly patch: Partial<Asset>;
}

/** Moves the governance state and the fields that depend on it. */
export async function moveGovernance(
  ctx: Context,
  asset: Asset,
  to: string,
  { reason, metadata }: Remarks,
  terms: DecisionTerms = {},
): Promise<Asset> {
  // Who takes a request back approves nothing.
  const isTakenBack = terms.keepUntil === null && to === asset.governanceState;
  if (isApproved(to) && asset.changedInReview && !isTakenBack) requireNamedVersion(ctx.request.ifMatch);
  const { ticketRef } = terms;
  const data = ticketRef === undefined ? {} : { ticketRef };
  const decided = isDecision(to) && asset.governanceState !== "suspended";
  const decision = decided
    ? { state: to, by: ctx.principal.userId, at: ctx.now, reason: reason ?? null, ticketRef: ticketRef ?? null }
    : asset.decision;
  const standing = isApproved(asset.governanceState) ? moveOfStanding(ctx, asset, to, terms) : undefined;
  if (standing === "unchanged") return asset;
  const patch = standing?.patch ?? patchFor(ctx, asset, to, terms);
  const move = standing ? { event: standing.event } : (withdrawalOf(asset, to) ?? { to });
  const isRequest = standing?.event === "request_renewal" || standing?.event === "withdraw_renewal";
  const options = {
    reason,
    metadata,
    data,
    patch: isRequest ? patch : { ...patch, decision, ...(isApproved(to) ? { changedInReview: false } : {}) },
  };
  return ctx.transition(assets, governanceState, asset, move, options);
}

/** A withdrawn review leaves what it was about as it was: what was stopped is stopped again. */
function withdrawalOf(asset: Asset, to: string): Pick<Move, "event"> | undefined {
  const stop = asset.governanceState === "under_review" && to === "unreviewed" ? stopOf(asset) : undefined;
  return stop && { event: `withdraw_to_${stop}` };
}

/** The moves of an approval that stands: renewals and their requests. `undefined` for all others. */
function moveOfStanding(ctx: Context, asset: Asset, to: string, terms: DecisionTerms): Move | "unchanged" | undefined {
  const { approvedUntil, conditions, keepUntil } = terms;
  if (to === "under_review") return keepUntil ? renewalRequest(ctx, asset, keepUntil) : undefined;
  // Another kind of approval is another decision, and takes a review that ends this one.
  if (to !== asset.governanceState) return undefined;
  if (keepUntil === null) return { event: "withdraw_renewal", patch: { reviewUntil: null } };
  const end = approvedUntil === undefined ? asset.approvedUntil : approvedUntil;
  const isSame = end === asset.approvedUntil && (!conditions || saysTheSame(conditions, asset.conditions));
  if (isSame && asset.reviewUntil === null) return "unchanged";
  const patch = { approvedUntil: end, reviewUntil: null };
  const kept = conditions && to === "conditionally_approved" ? unmet(conditions) : asset.conditions;
  return { event: "renew", patch: { ...patch, conditions: kept } };
}

/** A request to renew an approval that stands meanwhile. An earlier request keeps its end, and what was changed in it. */
export function renewalRequest(ctx: Context, asset: Asset, keepUntil: string): Move {
  const { reviewUntil, requestedBy, changedInReview } = asset;
  const isEarlier = reviewUntil !== null && reviewUntil < keepUntil;
  const patch = isEarlier
    ? { requestedBy, reviewUntil }
    : {
        requestedBy: ctx.principal.userId,
        reviewUntil: keepUntil,
        changedInReview: reviewUntil !== null && changedInReview,
      };
  return { event: "request_renewal", patch };
}

/** A request for review that ends the approval at once. */
export function reviewRequest(ctx: Context): Move {
  const patch = {
    requestedBy: ctx.principal.userId,
    approvedUntil: null,
    reviewUntil: null,
    conditions: [],
    changedInReview: false,
  };
  return { event: "request_review", patch };
}

/** The fields that change with the governance state. */
function patchFor(ctx: Context, asset: Asset, to: string, terms: DecisionTerms): Partial<Asset> {
  const { approvedUntil = null, conditions } = terms;
  if (to === "under_review") return { ...reviewRequest(ctx).patch, priorGovernanceState: stopOf(asset) ?? null };
  if (asset.governanceState === "suspended")
    return { priorGovernanceState: null, ...(conditions ? { conditions: unmet(conditions) } : {}) };
  if (to === "suspended") {
    // What waits for its review after a change is not reinstated as it was.
    const isChanged = asset.reviewUntil !== null && asset.changedInReview;
    return { priorGovernanceState: isChanged ? null : asset.governanceState, reviewUntil: null };
  }
  if (to === "approved") return { approvedUntil, conditions: [], priorGovernanceState: null };
  if (to === "conditionally_approved")
    return { approvedUntil, conditions: unmet(conditions ?? []), priorGovernanceState: null };
  return { reviewUntil: null, priorGovernanceState: null };
}

type Terms = NonNullable<DecisionTerms["conditions"]>;

function saysTheSame(one: Terms, other: Terms): boolean {
  const said = (conditions: Terms) => JSON.stringify(conditions.map(({ key, text, dueAt }) => [key, text, dueAt]));
  return said(one) === said(other);
}

const unmet = (conditions: Terms): Condition[] =>
  conditions.map((condition) => ({ ...condition, metAt: null, metBy: null, evidence: null }));
