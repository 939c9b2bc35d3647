import { refusedDeciders } from "#families/accountability/index.js";
import { holdersOf, type User, users } from "#families/identity/index.js";
import { ById } from "#kernel/operation/crud.js";
import { involvedIn } from "#kernel/operation/four-eyes.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";
import { visibleReview } from "./queries.js";
import { kindOf } from "./review-kinds.js";
import { type Review, reviews } from "./schema.js";

const Person = z
  .object({
    id: z.string().meta({ description: "Id of the user, or of the machine." }),
    name: z.string().nullable().meta({ description: "Name of the user; `null` where it is no user of the tenant." }),
  })
  .meta({ id: "ReviewPerson" });

const Decider = z
  .object({
    ...Person.shape,
    mayDecide: z.boolean().meta({ description: "Whether this person would not be refused." }),
    conflict: z.string().nullable().meta({ description: "Why not, in words." }),
  })
  .meta({ id: "ReviewDecider" });

const ReviewPeople = z
  .object({
    requestedBy: Person.nullable().meta({ description: "Who asked for it." }),
    assignee: Person.nullable().meta({ description: "Who is to do it." }),
    commenters: z.array(Person).meta({ description: "Who has said something about it." }),
    deciders: z.array(Decider).meta({ description: "Who holds the permission, or is asked by name." }),
    complete: z.boolean().meta({ description: "Whether these are all." }),
  })
  .meta({ id: "ReviewPeople" });

export const listReviewPeople = defineOperation({
  id: "reviews.people",
  method: "GET",
  path: "/api/v1/reviews/{id}/people",
  tag: "Reviews",
  extension: true,
  summary: "Tell who asked for what waits, and who may decide it",
  description:
    "Each who holds the permission is listed with the conflict that stands against a decision. It is for whom to ask: the decision itself is checked when it is made.",
  access: { permission: "review:read" },
  params: ById,
  success: { status: 200, schema: ReviewPeople },
  async handler(ctx, { params }) {
    const review = await visibleReview(ctx, await ctx.getOrThrow(reviews, params.id));
    const { people, complete } = await askedOf(ctx, review);
    const refused = kindOf(review).takesAsker
      ? new Map()
      : await refusedDeciders(ctx, people, await involved(ctx, review));
    const { requestedBy, assignee, comments } = review;
    const named = await namesOf(ctx, [requestedBy, assignee, ...comments.map(({ by }) => by)]);
    return {
      requestedBy: requestedBy === null ? null : named(requestedBy),
      assignee: assignee === null ? null : named(assignee),
      commenters: [...new Set(comments.map(({ by }) => by))].map(named),
      deciders: people.map(({ id, name }) => {
        const conflict = refused.get(id) ?? null;
        return { id, name, mayDecide: conflict === null, conflict };
      }),
      complete,
    };
  },
});

/** Who is asked: the one person of a personal review, or all active users whose roles permit the decision. */
async function askedOf(ctx: ReadContext, review: Review): Promise<{ people: User[]; complete: boolean }> {
  if (kindOf(review).isPersonal) {
    const one = review.assignee === null ? undefined : (await ctx.db.get(users, review.assignee))?.value;
    return { people: one?.status === "active" ? [one] : [], complete: true };
  }
  return holdersOf(ctx, review.permission);
}

/** Those who would decide their own matter: who asked, who owns it, and who worked on it. */
async function involved(ctx: ReadContext, review: Review): Promise<readonly string[]> {
  const { collection, subject } = kindOf(review);
  const record = subject === undefined ? (await ctx.db.get(collection, review.subject.id))?.value : undefined;
  const asked = review.requestedBy === null ? [] : [review.requestedBy];
  return [...new Set([...asked, ...(record === undefined ? [] : involvedIn(record as object).ids)])];
}

async function namesOf(ctx: ReadContext, ids: readonly (string | null)[]) {
  const known = [...new Set(ids.filter((id) => id !== null))];
  const found = new Map((await ctx.db.getMany(users, known)).map(({ value }) => [value.id, value.name] as const));
  return (id: string) => ({ id, name: found.get(id) ?? null });
}
