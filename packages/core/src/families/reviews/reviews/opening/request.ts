import { pastChanges } from "#families/activity/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { AnyReviewKind, Asked } from "../review-kind.js";
import type { Review } from "../schema.js";

/** A request, and whether all of it is known. */
export interface Request extends Asked {
  readonly known: boolean;
}

/** Who asked for what waits, when and why: by the record itself, or by the event of the request. */
export async function requestOf(ctx: ReadContext, review: Review, kind: AnyReviewKind): Promise<Request> {
  const { collection, asked, asks } = kind;
  const { requestedBy, createdAt, subject } = review;
  const plain: Request = { by: requestedBy, at: createdAt, reason: null, known: true };
  if (kind.subject || (!asked && !asks)) return plain;
  if (asked) {
    const record = (await ctx.db.get(collection, subject.id))?.value;
    const said: Asked | null = record ? asked(record) : null;
    return said ? { by: said.by, at: said.at, reason: said.reason, known: true } : plain;
  }
  for await (const { move, at, by, reason, changes } of pastChanges(ctx, [[subject.id, collection]])) {
    if (changes === null) break;
    if (move !== null && asks?.includes(move)) return { by, at, reason, known: true };
  }
  return { ...plain, known: false };
}
