import { users } from "#families/identity/index.js";
import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";
import { type AskedPeople, askedAbout } from "./find-deciders.js";
import { visibleReview } from "./queries.js";
import { reviews } from "./schema.js";

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

const NOBODY: AskedPeople = { people: [], refused: new Map(), complete: true };

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
    const [{ people, refused, complete } = NOBODY] = await askedAbout(ctx, [review]);
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

async function namesOf(ctx: ReadContext, ids: readonly (string | null)[]) {
  const known = [...new Set(ids.filter((id) => id !== null))];
  const found = new Map((await ctx.db.getMany(users, known)).map(({ value }) => [value.id, value.name] as const));
  return (id: string) => ({ id, name: found.get(id) ?? null });
}
