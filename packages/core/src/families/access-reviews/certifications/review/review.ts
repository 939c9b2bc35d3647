import { ReeveError } from "#kernel/http/errors.js";
import { refuseMisplaced } from "#kernel/http/misplaced.js";
import type { Context } from "#kernel/operation/context.js";
import { type CertificationItem, certificationItems } from "../items/schema.js";
import { certifications } from "../schema.js";
import type { ItemReview } from "./body.js";
import { delegate } from "./delegate.js";
import { undo, vote } from "./vote.js";

/** Stores what a reviewer says of an item. 403 for those who are none of its reviewers. */
export async function review(ctx: Context, campaignId: string, itemId: string, given: ItemReview) {
  const campaign = await ctx.getOrThrow(certifications, campaignId);
  const item = await ctx.getForUpdate(certificationItems, itemId);
  if (item.certificationId !== campaign.id) throw new ReeveError("not_found");
  requireReviewer(ctx, item);
  const { decision } = given;
  refuseMisplaced(given, decision, FOR);
  if (decision === "delegate") return delegate(ctx, campaign, item, given);
  if (decision === "undo") return undo(ctx, campaign, item, given.reason);
  return vote(ctx, campaign, item, { ...given, decision });
}

/** Which decisions each property is for. */
const FOR = {
  expiresAt: ["certify", "modify"],
  accessProfileId: ["modify"],
  parameters: ["modify"],
  delegateTo: ["delegate"],
} as const satisfies Partial<Record<keyof ItemReview, readonly ItemReview["decision"][]>>;

/** 403 for who is none of the reviewers of an item. */
export function requireReviewer({ principal }: Context, { reviewers }: CertificationItem): void {
  if (reviewers.includes(principal.userId)) return;
  throw new ReeveError("permission_denied", "Only a reviewer of this item decides it.");
}
