import type { z } from "zod";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { type CertificationItem, certificationItems } from "../items/schema.js";
import { notInBulk, notRevokedInBulk, type Weighed } from "../rules.js";
import { type Certification, certifications } from "../schema.js";
import type { BulkCertification, BulkResult } from "./body.js";
import { presentOf } from "./present.js";
import { requireReviewer } from "./review.js";
import { vote } from "./vote.js";

/** What is decided about several items at once. */
type Together = "certify" | "revoke";

interface Decided {
  readonly done: string[];
  readonly refused: z.output<typeof BulkResult>["refused"];
}

/** Decides items together, and leaves what must be looked at one by one. */
export async function decideTogether(
  ctx: Context,
  campaign: Certification,
  { items: wanted, reason }: z.output<typeof BulkCertification>,
  decision: Together,
): Promise<Decided> {
  const seen = new Map(wanted.map((one) => [one.id, one.expectedSnapshotVersion] as const));
  const found = new Map((await ctx.db.getMany(certificationItems, [...seen.keys()])).map((row) => [row.id, row.value]));
  const present = await presentOf(ctx, [...found.values()]);
  const result: Decided = { done: [], refused: [] };
  for (const [id, expectedSnapshotVersion] of seen) {
    const item = found.get(id);
    const given = { reason, expectedSnapshotVersion, decision };
    const because = await refusalOf(ctx, campaign, item, item && present(item), given);
    if (because.length === 0) result.done.push(id);
    else result.refused.push({ id, because });
  }
  if (result.done.length > 0)
    await ctx.update(certifications, campaign, {}, { event: false, stamp: false, touch: true });
  return result;
}

interface Given {
  readonly reason: string | undefined;
  readonly expectedSnapshotVersion: number;
  readonly decision: Together;
}

/** Decides one of several items, or says why it is not. */
async function refusalOf(
  ctx: Context,
  campaign: Certification,
  item: CertificationItem | undefined,
  present: Weighed | undefined,
  given: Given,
): Promise<string[]> {
  if (item?.certificationId !== campaign.id) return ["not_found"];
  const alone = aloneOf(item, present, { nowMs: ctx.request.nowMs, maxDataAge: campaign.maxDataAge });
  if (alone[given.decision].length > 0) return alone[given.decision];
  try {
    requireReviewer(ctx, item);
    await vote(ctx, campaign, item, given);
    return [];
  } catch (error) {
    if (ReeveError.is(error) && error.status < 500) return [error.code];
    throw error;
  }
}

/** Why an item is decided alone, by what would be decided. */
export const aloneOf = (
  item: Parameters<typeof notInBulk>[0],
  present: Weighed | undefined,
  look: Parameters<typeof notInBulk>[2],
): Record<Together, string[]> => ({
  certify: notInBulk(item, present, look),
  revoke: notRevokedInBulk(item, present),
});
