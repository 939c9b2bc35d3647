import { refusedInMatters } from "#families/accountability/index.js";
import { holdersOf, roles, type User, users } from "#families/identity/index.js";
import { visibleTo } from "#families/platform/index.js";
import { involvedIn as shownIn } from "#kernel/operation/four-eyes.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { StoredRecord } from "#store/collection.js";
import type { Row } from "#store/row.js";
import { kindOf } from "./review-kinds.js";
import type { Review } from "./schema.js";

/** Who is asked to decide a review. */
export interface AskedPeople {
  readonly people: readonly User[];
  /** Those of them who would be refused, each with the conflict in words. */
  readonly refused: ReadonlyMap<string, string>;
  readonly complete: boolean;
}

/**
 * Who is asked about each of these reviews, in order: the one person of a personal one, or else all active users whose roles
 * permit the decision. Few reads tell of all of them.
 */
export function askedAbout(ctx: ReadContext, reviews: readonly Review[]): Promise<AskedPeople[]> {
  return asked(ctx, reviews, (review) => kindOf(review).isPersonal === true);
}

/**
 * For whom each of these reviews waits, in order: whoever it is assigned to, or else everybody who may decide it. Those who
 * would be refused, or do not see it, are not among them.
 */
export async function awaitedIn(ctx: ReadContext, reviews: readonly Review[]): Promise<(readonly User[])[]> {
  const found = await asked(ctx, reviews, ({ assignee }) => assignee !== null);
  return reviews.map((review, at) => {
    const { people, refused } = found[at] ?? NOBODY;
    const { reads, decides, takesAsker } = kindOf(review);
    return people.filter(({ id, roles: names }) => {
      const may = visibleTo(ctx, ctx.env.use(roles).permissionsOf(names));
      // The owner of an asset meets its conditions without the permission to approve.
      return !refused.has(id) && may(reads) && (may(decides) || (takesAsker === true && review.assignee === id));
    });
  });
}

const NOBODY: AskedPeople = { people: [], refused: new Map(), complete: true };

async function asked(
  ctx: ReadContext,
  reviews: readonly Review[],
  isNamed: (review: Review) => boolean,
): Promise<AskedPeople[]> {
  const [candidates, involved] = await Promise.all([candidatesFor(ctx, reviews, isNamed), involvedIn(ctx, reviews)]);
  const matters = candidates.map(({ people }, at) => ({ people, ids: involved[at] ?? [] }));
  const refused = await refusedInMatters(ctx, matters);
  return candidates.map((one, at) => ({ ...one, refused: refused[at] ?? new Map() }));
}

/** The one who is named, or all who hold the permission. */
async function candidatesFor(ctx: ReadContext, reviews: readonly Review[], isNamed: (review: Review) => boolean) {
  const named = [...new Set(reviews.filter(isNamed).flatMap(({ assignee }) => assignee ?? []))];
  const open = reviews.filter((review) => !isNamed(review));
  const permissions = [...new Set(open.map(({ permission }) => permission))];
  const [rows, ...holders] = await Promise.all([
    ctx.db.getMany(users, named),
    ...permissions.map((permission) => holdersOf(ctx, permission)),
  ]);
  const byId = new Map(rows.map(({ id, value }) => [id, value] as const));
  return reviews.map((review) => {
    if (!isNamed(review)) return holders[permissions.indexOf(review.permission)] ?? NOBODY;
    const one = byId.get(review.assignee ?? "");
    return { people: one?.status === "active" ? [one] : [], complete: true };
  });
}

/** Those who would decide their own matter: who asked, who owns it, and who worked on it. */
async function involvedIn(ctx: ReadContext, reviews: readonly Review[]): Promise<readonly string[][]> {
  const records = new Map<string, object>();
  const kinds = new Map(reviews.map((review) => [review.kind, kindOf(review)] as const));
  await Promise.all(
    [...kinds.values()].map(async ({ kind, collection, subject }) => {
      const ids = reviews.filter((review) => review.kind === kind).map((review) => review.subject.id);
      const rows: Row<StoredRecord>[] =
        subject === undefined ? await ctx.db.getMany(collection, [...new Set(ids)]) : [];
      for (const { id, value } of rows) records.set(`${kind} ${id}`, value);
    }),
  );
  return reviews.map((review) => {
    if (kindOf(review).takesAsker) return [];
    const record = records.get(`${review.kind} ${review.subject.id}`);
    const asked = review.requestedBy === null ? [] : [review.requestedBy];
    return [...new Set([...asked, ...(record === undefined ? [] : shownIn(record).ids)])];
  });
}
