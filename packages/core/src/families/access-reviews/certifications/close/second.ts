import { subjectOf } from "#kernel/events/record-events.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { defineFourEyes, type FourEyesPlace, requireFourEyes } from "#kernel/operation/four-eyes.js";
import type { Filters } from "#store/find-query.js";
import { involvedUnderReview } from "../reviewers/under-review.js";
import { type Certification, certifications, type REVOKES } from "../schema.js";

export const confirmRevocation = defineFourEyes(
  "accessCertification: confirm",
  "Confirming what a certification revokes, or having it revoke less",
);
export const endCertification = defineFourEyes(
  "accessCertification: end",
  "Closing a certification early, and cancelling it",
);

function requireNoConflict(ctx: Context, place: FourEyesPlace, campaign: Certification, ids: readonly string[]) {
  return requireFourEyes(ctx, {
    act: place.act,
    subject: subjectOf(certifications, campaign.id),
    name: campaign.name,
    involved: { ids: [...new Set(ids)].filter((id) => id !== "system"), beyond: 0 },
    related: certifications.related?.(campaign) ?? [],
  });
}

/**
 * 403 for whoever began the campaign, who would revoke by silence alone; and for whoever is involved in access that the
 * confirmation spares.
 */
export async function requireConfirmer(ctx: Context, campaign: Certification, chosen: (typeof REVOKES)[number]) {
  const { createdBy, ownerId, id } = campaign;
  const began = createdBy === "system" ? ownerId : createdBy;
  const order = { by: "decidedAt", direction: "asc" } as const;
  const revoked = { where: { actionableOf: id, outcome: "revoke" }, order };
  const spared =
    chosen === "all" ? [] : await involvedUnderReview(ctx, revoked, ({ silent }) => silent || chosen === "none");
  await requireNoConflict(ctx, confirmRevocation, campaign, [began, ...spared]);
}

/** 403 for whoever is involved in access that a close or a cancellation keeps. 409 for a review of emergency access. */
export async function requireEnder(ctx: Context, campaign: Certification, how: "close" | "cancel"): Promise<void> {
  const { id, kind, requestId } = campaign;
  if (kind === "emergency_review" && requestId !== null)
    throw new ReeveError("transition_guard_failed", "A review of emergency access ends when it is decided or over.");
  const where: Filters = how === "close" ? { undecidedOf: id } : { unfinishedOf: id };
  await requireNoConflict(ctx, endCertification, campaign, await involvedUnderReview(ctx, { where }));
}
