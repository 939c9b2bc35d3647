import type { z } from "zod";
import { ReeveError } from "#kernel/http/errors.js";
import { refuseMisplaced } from "#kernel/http/misplaced.js";
import type { Context } from "#kernel/operation/context.js";
import { type CertificationItem, certificationItems } from "../items/schema.js";
import { notInBulk, type Weighed } from "../rules.js";
import { type Certification, certifications } from "../schema.js";
import type { BulkCertification, BulkResult, ItemReview } from "./body.js";
import { delegate } from "./delegate.js";
import { presentOf } from "./present.js";
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

function requireReviewer({ principal }: Context, { reviewers }: CertificationItem): void {
  if (reviewers.includes(principal.userId)) return;
  throw new ReeveError("permission_denied", "Only a reviewer of this item decides it.");
}

/** Certifies items together, and leaves what must be looked at one by one. */
export async function certifyTogether(
  ctx: Context,
  campaign: Certification,
  { items: wanted, reason }: z.output<typeof BulkCertification>,
): Promise<z.output<typeof BulkResult>> {
  const seen = new Map(wanted.map((one) => [one.id, one.expectedSnapshotVersion] as const));
  const found = new Map((await ctx.db.getMany(certificationItems, [...seen.keys()])).map((row) => [row.id, row.value]));
  const present = await presentOf(ctx, [...found.values()]);
  const result: z.output<typeof BulkResult> = { certified: [], refused: [] };
  for (const [id, expectedSnapshotVersion] of seen) {
    const item = found.get(id);
    const now = item && present(item);
    const because = await refusalOf(ctx, campaign, item, now, { reason, expectedSnapshotVersion });
    if (because.length === 0) result.certified.push(id);
    else result.refused.push({ id, because });
  }
  if (result.certified.length > 0)
    await ctx.update(certifications, campaign, {}, { event: false, stamp: false, touch: true });
  return result;
}

/** Certifies one of several items, or says why it is not. */
async function refusalOf(
  ctx: Context,
  campaign: Certification,
  item: CertificationItem | undefined,
  present: Weighed | undefined,
  given: Pick<ItemReview, "reason" | "expectedSnapshotVersion">,
): Promise<string[]> {
  if (item?.certificationId !== campaign.id) return ["not_found"];
  const alone = notInBulk(item, present, { nowMs: ctx.request.nowMs, maxDataAge: campaign.maxDataAge });
  if (alone.length > 0) return alone;
  try {
    requireReviewer(ctx, item);
    await vote(ctx, campaign, item, { ...given, decision: "certify" });
    return [];
  } catch (error) {
    if (ReeveError.is(error) && error.status < 500) return [error.code];
    throw error;
  }
}
