import { refusedDeciders } from "#families/accountability/index.js";
import { roles, users } from "#families/identity/index.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { ById } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { GenericBody } from "#kernel/records/generic-body.js";
import { EndTime } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { reviewPage, visibleReview } from "./queries.js";
import { kindOf } from "./review-kinds.js";
import { CommentText, MOST_COMMENTS, Review, reviewAt, reviews } from "./schema.js";

const PATH = "/api/v1/reviews";
const shared = { tag: "Reviews", extension: true } as const;
const may = (verb: "read" | "comment" | "assign") => ({ permission: `review:${verb}` }) as const;

export const listReviews = defineOperation({
  ...shared,
  id: "reviews.list",
  method: "GET",
  path: PATH,
  summary: "List what waits for a decision, of every kind",
  description:
    "Those that lapsed are shown only where `status` asks for them. What was decided is in the activity of its subject.",
  access: may("read"),
  query: listQuery(reviews, undefined, {
    mine: z
      .stringbool({ truthy: ["true"], falsy: ["false"] })
      .optional()
      .meta({ description: "Those assigned to the caller, and those that the caller may decide and nobody is to." }),
  }),
  success: { status: 200, schema: pageOf(Review) },
  handler: (ctx, { query }) => reviewPage(ctx, query),
});

export const readReview = defineOperation({
  ...shared,
  id: "reviews.read",
  method: "GET",
  path: `${PATH}/{id}`,
  summary: "Read what waits for a decision",
  access: may("read"),
  params: ById,
  success: { status: 200, schema: Review },
  handler: async (ctx, { params }) => visibleReview(ctx, reviewAt(await ctx.getOrThrow(reviews, params.id), ctx.now)),
});

const Assignment = z
  .strictObject({
    assignee: z
      .string()
      .min(1)
      .max(200)
      .nullable()
      .optional()
      .meta({ description: "Id of a user who may decide, and has not asked for it." }),
    dueAt: EndTime.nullable().optional().meta({ description: "When it is overdue." }),
    reason: GenericBody.shape.reason,
  })
  .meta({ id: "ReviewAssignment", example: { dueAt: "2030-01-31T17:00:00.000Z" } });

export const assignReview = defineOperation({
  ...shared,
  id: "reviews.assign",
  method: "PATCH",
  path: `${PATH}/{id}`,
  summary: "Say who is to decide, and until when",
  access: may("assign"),
  params: ById,
  body: Assignment,
  success: { status: 200, schema: Review },
  errors: ["invalid_reference"],
  async handler(ctx, { params, body: { reason, assignee, dueAt } }) {
    const review = await visibleReview(ctx, await ctx.getForUpdate(reviews, params.id));
    if (assignee !== undefined && assignee !== review.assignee) requireOpen(review);
    if (assignee) await requireDecider(ctx, review, assignee);
    const given = { ...(assignee === undefined ? {} : { assignee }), ...(dueAt === undefined ? {} : { dueAt }) };
    const { status } = reviewAt({ ...review, ...given }, ctx.now);
    const escalatedAt = dueAt === undefined ? review.escalatedAt : null;
    return ctx.update(reviews, review, { ...given, status, escalatedAt }, { reason });
  },
});

/** 400 for a review that waits for one person by name. */
function requireOpen(review: Review): void {
  if (!kindOf(review).isPersonal) return;
  throw invalidProperty("/assignee", "It waits for this person alone. Others who may decide have one of their own.");
}

/** 400 unless this user can decide the review. */
async function requireDecider(ctx: Context, review: Review, userId: string): Promise<void> {
  const { permission, requestedBy } = review;
  const user = (await ctx.db.get(users, userId))?.value;
  if (user?.status !== "active" || !ctx.env.use(roles).permissionsOf(user.roles).has(permission))
    throw invalidProperty("/assignee", `No active user of this id holds "${permission}".`, "invalid_reference");
  const involved = requestedBy && !kindOf(review).takesAsker ? [requestedBy] : [];
  if ((await refusedDeciders(ctx, [user], involved)).size > 0)
    throw invalidProperty("/assignee", "Whoever asked for it does not decide it.", "invalid_reference");
}

export const commentReview = defineOperation({
  ...shared,
  id: "reviews.comment",
  agents: "propose",
  method: "POST",
  path: `${PATH}/{id}/comments`,
  summary: "Comment on what waits for a decision",
  description: "A comment is kept with the review while it waits, and with its event for good.",
  access: may("comment"),
  params: ById,
  body: z
    .strictObject({ text: CommentText })
    .meta({ id: "ReviewComment", example: { text: "Which data does it see?" } }),
  success: { status: 201, schema: Review },
  errors: ["limit_exceeded"],
  async handler(ctx, { params, body: { text } }) {
    const review = await visibleReview(ctx, await ctx.getForUpdate(reviews, params.id));
    if (review.comments.length >= MOST_COMMENTS)
      throw new ReeveError("limit_exceeded", `A review takes ${MOST_COMMENTS} comments.`);
    const comment = { by: ctx.principal.userId, at: ctx.now, text };
    const event = { type: "review.commented", data: { kind: review.kind, subject: review.subject, comment } };
    const comments = [...review.comments, comment];
    return ctx.update(reviews, review, { comments, status: reviewAt(review, ctx.now).status }, { event });
  },
});
