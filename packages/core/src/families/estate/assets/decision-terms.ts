import { invalidProperty } from "#kernel/http/errors.js";
import { daysMs } from "#ports/durations.js";
import { isApproved } from "./machine.js";
import type { Asset, Condition } from "./schema.js";

/** Terms of a decision, or of a request for one. */
export interface DecisionTerms {
  readonly approvedUntil?: string | null | undefined;
  readonly conditions?: readonly Pick<Condition, "key" | "text" | "dueAt">[] | undefined;
  /** Until when a standing approval holds while it is reviewed; `null` takes the request back. */
  readonly keepUntil?: string | null | undefined;
  readonly ticketRef?: string | undefined;
}

/** The longest time for which a review keeps the approval that stands, in days. */
export const MOST_REVIEW_DAYS = 90;

/** 400 for terms that do not fit the move, or that it would not use. */
export function checkTerms(asset: Asset, terms: DecisionTerms, to: string, now: string): DecisionTerms {
  const { approvedUntil, conditions, keepUntil } = terms;
  if (approvedUntil && approvedUntil <= now) throw problem("approvedUntil", "Must lie in the future.");
  const stands = isApproved(asset.governanceState);
  if (keepUntil && (to !== "under_review" || !stands))
    throw problem("keepUntil", "Only an approval that stands can be kept while it is reviewed.");
  if (keepUntil && keepUntil <= now) throw problem("keepUntil", "Must lie in the future.");
  if (keepUntil && Date.parse(keepUntil) - Date.parse(now) > daysMs(MOST_REVIEW_DAYS))
    throw problem("keepUntil", `A review keeps an approval for ${MOST_REVIEW_DAYS} days at most.`);
  refuseUnused(asset, terms, to);
  const had =
    to === asset.governanceState || asset.governanceState === "suspended" ? asset.conditions.length > 0 : false;
  if (to === "conditionally_approved" && !conditions && !had)
    throw problem("conditions", "A conditional approval names its conditions.");
  return terms;
}

/** 400 for a term that counts for other moves only. */
function refuseUnused(asset: Asset, { approvedUntil, conditions, keepUntil }: DecisionTerms, to: string): void {
  const isTakenBack = keepUntil === null && isApproved(to) && to === asset.governanceState;
  if (keepUntil === null && !isTakenBack && to !== "under_review")
    throw problem("keepUntil", "Only the approval that stands is named to take its review back.");
  if (isTakenBack && approvedUntil !== undefined)
    throw problem("approvedUntil", "A request for review that is taken back leaves the approval as it is.");
  if (isTakenBack && conditions)
    throw problem("conditions", "A request for review that is taken back leaves the approval as it is.");
  if (approvedUntil !== undefined && !isApproved(to))
    throw problem("approvedUntil", "Only an approval has an end; name it with the decision.");
  if (approvedUntil !== undefined && asset.governanceState === "suspended")
    throw problem("approvedUntil", "What was suspended returns with the end that it had.");
  if (conditions && to !== "conditionally_approved")
    throw problem("conditions", "Only a conditional approval has conditions.");
}

const problem = (name: keyof DecisionTerms, message: string) => invalidProperty(`/configuration/${name}`, message);
