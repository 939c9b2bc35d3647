import { defineFollower, type Follower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import type { Collection } from "#kernel/records/collection.js";
import { isSame } from "#kernel/records/is-same.js";
import type { StoredRecord } from "#store/collection.js";
import type { AnyReviewKind, ReviewKind, Waiting } from "./review-kind.js";
import { type Review, reviewAt, reviews } from "./schema.js";

/** Keeps reviews of a kind in step with the records that they are about, in the same transaction. */
export function followReviewed<R extends StoredRecord>(kind: ReviewKind<R>): Follower {
  return defineFollower(kind.collection, async (ctx, { before, after }) => {
    const was = before ? kind.waiting(before) : [];
    const is = after ? kind.waiting(after) : [];
    const keyOf = ({ key = "" }: Waiting) => key;
    for (const old of was) {
      if (is.some((one) => keyOf(one) === keyOf(old))) continue;
      const row = await reviewOf(ctx, kind, subjectOf(kind, before as R).id, keyOf(old));
      if (row) await ctx.remove(reviews, row.value, { event: false });
    }
    for (const one of is) {
      const old = was.find((other) => keyOf(other) === keyOf(one));
      if (!old || !isSame(old, one)) await put(ctx, kind, after as R, one, old);
    }
  });
}

function subjectOf<R extends StoredRecord>({ collection, subject }: ReviewKind<R>, record: R): Review["subject"] {
  if (subject) return subject(record);
  const { name, resource }: Collection<R> = collection;
  if (!resource) throw new Error(`${name} has no address`);
  return { type: resource.type, id: record.id, path: `${resource.path}/${record.id}` };
}

function reviewOf(ctx: Context, { kind }: AnyReviewKind, subjectId: string, key: string) {
  return ctx.db.lookup(reviews, "matter", { kind, subjectId, key });
}

/** The record's own event tells of the change, so the review has none. */
async function put<R extends StoredRecord>(
  ctx: Context,
  kind: ReviewKind<R>,
  record: R,
  one: Waiting,
  old?: Waiting,
): Promise<void> {
  const { key = "", name, assetId, requestedBy, dueAt = null, endsAt = null, assignee = null } = one;
  const subject = subjectOf(kind, record);
  const row = await reviewOf(ctx, kind, subject.id, key);
  const fields = { name, assetId, requestedBy, dueAt, endsAt };
  if (row) {
    const { value } = row;
    // People assign reviews and move their dates, so only what the record says otherwise is followed.
    const next = {
      ...fields,
      dueAt: old && (old.dueAt ?? null) === dueAt ? value.dueAt : dueAt,
      assignee: assigneeAfter(value, one, old),
    };
    const { status } = reviewAt({ ...value, ...next }, ctx.now);
    const escalatedAt = next.dueAt === value.dueAt ? value.escalatedAt : null;
    await ctx.update(reviews, value, { ...next, status, escalatedAt }, { event: false });
    return;
  }
  const review: Omit<Review, "status"> = {
    ...ctx.stamp(reviews),
    metadata: {},
    kind: kind.kind,
    subject,
    key,
    permission: kind.decides,
    assignee,
    escalatedAt: null,
    comments: [],
    ...fields,
  };
  await ctx.insert(reviews, reviewAt({ ...review, status: "waiting" }, ctx.now), { event: false });
}

/** Whom the record names now. Nobody keeps the review of a request that has become their own. */
function assigneeAfter({ assignee }: Review, one: Waiting, old: Waiting | undefined): Review["assignee"] {
  if (old === undefined) return assignee;
  if ((old.assignee ?? null) !== (one.assignee ?? null)) return one.assignee ?? null;
  return old.requestedBy !== one.requestedBy && assignee === one.requestedBy ? null : assignee;
}
