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
  return asked(ctx, reviews, (review) => (kindOf(review).isPersonal ? [review.assignee ?? ""] : undefined));
}

/** Ids of those who stand in for somebody. */
export type StandIns = (userId: string) => readonly string[];

/**
 * For whom each of these reviews waits, in order: whoever it is assigned to, with those who stand in and may decide it, or else
 * everybody who may decide it. Those who would be refused, or do not see it, are not among them.
 */
export async function awaitedIn(
  ctx: ReadContext,
  reviews: readonly Review[],
  standIns: StandIns = () => [],
): Promise<(readonly User[])[]> {
  const found = await asked(ctx, reviews, (review) => {
    const { assignee } = review;
    if (assignee === null) return undefined;
    return kindOf(review).isPersonal ? [assignee] : [assignee, ...standIns(assignee)];
  });
  return reviews.map((review, at) => {
    // The owner of an asset meets its conditions without the permission to approve.
    const isOwners = (id: string) => kindOf(review).takesAsker === true && review.assignee === id;
    return allowed(ctx, review, found[at] ?? NOBODY, (may, { id }) => may(kindOf(review).decides) || isOwners(id));
  });
}

/**
 * Who else can see to each of these reviews that have waited for long: whoever may decide what is assigned to somebody, and
 * whoever may assign it. Those who would be refused are not among them, and nobody for what waits for one person alone.
 */
export async function helpersIn(ctx: ReadContext, reviews: readonly Review[]): Promise<(readonly User[])[]> {
  const open = reviews.map((review) => ({ ...review, assignee: null }));
  const [deciders, assigners] = await Promise.all([
    asked(ctx, open, () => undefined),
    asked(
      ctx,
      open.map((review) => ({ ...review, permission: ASSIGNS })),
      () => undefined,
    ),
  ]);
  return reviews.map((review, at) => {
    if (kindOf(review).isPersonal) return [];
    const may = allowed(ctx, review, deciders[at] ?? NOBODY, (holds) => holds(kindOf(review).decides));
    const assign = allowed(ctx, review, assigners[at] ?? NOBODY, (holds) => holds(ASSIGNS));
    const awaited = review.assignee === null ? may.map(({ id }) => id) : [review.assignee];
    const others = new Map([...may, ...assign].map((user) => [user.id, user] as const));
    return [...others.values()].filter(({ id }) => !awaited.includes(id));
  });
}

/** What handing a review to somebody else takes. */
const ASSIGNS = "review:assign";

/** Those of these people who see a review, would not be refused, and may do something more. */
function allowed(
  ctx: ReadContext,
  review: Review,
  { people, refused }: AskedPeople,
  does: (may: (permission: string) => boolean, user: User) => boolean,
): User[] {
  return people.filter((user) => {
    const may = visibleTo(ctx, ctx.env.use(roles).permissionsOf(user.roles));
    return !refused.has(user.id) && may(kindOf(review).reads) && does(may, user);
  });
}

const NOBODY: AskedPeople = { people: [], refused: new Map(), complete: true };

async function asked(
  ctx: ReadContext,
  reviews: readonly Review[],
  namesOf: (review: Review) => readonly string[] | undefined,
): Promise<AskedPeople[]> {
  const [candidates, involved] = await Promise.all([candidatesFor(ctx, reviews, namesOf), involvedIn(ctx, reviews)]);
  const matters = candidates.map(({ people }, at) => ({ people, ids: involved[at] ?? [] }));
  const refused = await refusedInMatters(ctx, matters);
  return candidates.map((one, at) => ({ ...one, refused: refused[at] ?? new Map() }));
}

/** Those who are named, or else all who hold the permission. */
async function candidatesFor(
  ctx: ReadContext,
  reviews: readonly Review[],
  namesOf: (review: Review) => readonly string[] | undefined,
) {
  const named = reviews.map(namesOf);
  const permissions = [...new Set(reviews.flatMap(({ permission }, at) => (named[at] ? [] : [permission])))];
  const [rows, ...holders] = await Promise.all([
    ctx.db.getMany(users, [...new Set(named.flatMap((ids) => ids ?? []))]),
    ...permissions.map((permission) => holdersOf(ctx, permission)),
  ]);
  const byId = new Map(rows.map(({ id, value }) => [id, value] as const));
  return reviews.map(({ permission }, at) => {
    const ids = named[at];
    if (!ids) return holders[permissions.indexOf(permission)] ?? NOBODY;
    const people = ids.map((id) => byId.get(id)).filter((user) => user?.status === "active") as User[];
    return { people, complete: true };
  });
}

/** Those who would decide their own matter: who asked, who owns it, and who worked on it. */
async function involvedIn(ctx: ReadContext, reviews: readonly Review[]): Promise<readonly (readonly string[])[]> {
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
