import { ReeveError } from "#kernel/http/errors.js";
import { requireReason } from "#kernel/operation/context.js";
import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { GenericBody } from "#kernel/records/generic-body.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { z } from "#schema/z.js";
import { visibleReview } from "./queries.js";
import { Review, reviews } from "./schema.js";

export const explainStop = defineOperation({
  id: "reviews.explain",
  method: "POST",
  path: "/api/v1/reviews/{id}/reason",
  tag: "Reviews",
  extension: true,
  summary: "Say why one stopped something",
  description:
    "For a review of kind `stop_reason`, by the one who stopped. It ends the review, and the reason stands in the activity of what was stopped.",
  access: { permission: "review:read" },
  params: ById,
  body: z
    .strictObject({ reason: GenericBody.shape.reason })
    .meta({ id: "StopReason", example: { reason: "It read what it should not." } }),
  success: { status: 200, schema: Review },
  errors: ["missing_reason", "invalid_transition"],
  async handler(ctx, { params, body }) {
    const review = await visibleReview(ctx, await ctx.getForUpdate(reviews, params.id));
    if (review.kind !== "stop_reason")
      throw transitionRefused("No reason is wanted here: what waits is a decision.", { current: review.status });
    if (review.assignee !== ctx.principal.userId)
      throw new ReeveError("permission_denied", "Whoever stopped it says why.");
    const reason = requireReason(body.reason);
    const { id, subject, key, createdAt } = review;
    const act = key.slice(0, key.lastIndexOf(" "));
    await ctx.emit({ type: "stop.explained", subject, data: { act, reason, reviewId: id, stoppedAt: createdAt } });
    await ctx.remove(reviews, review, { event: false });
    return review;
  },
});
