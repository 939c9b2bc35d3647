import { extend } from "#kernel/config/extension.js";
import { defineArea } from "#kernel/operation/area.js";
import { dueBy } from "#kernel/operation/dues.js";
import { stopNotes } from "#kernel/operation/stops.js";
import { reviewEvents } from "./events.js";
import { readMe } from "./me/operations.js";
import { followReviewed } from "./reviews/follow/follow.js";
import { followAssignees } from "./reviews/follow/people.js";
import { escalateOverdue } from "./reviews/jobs.js";
import { REVIEW_KIND_TABLE } from "./reviews/kinds/kinds.js";
import { assignReview, commentReview, listReviews, readReview } from "./reviews/operations.js";
import { reviewPermissions } from "./reviews/permissions.js";
import { askWhoStopped } from "./reviews/reasons/ask.js";
import { explainStop } from "./reviews/reasons/operations.js";
import { reviews } from "./reviews/schema.js";

export { reviewAt, reviews } from "./reviews/schema.js";

/** What waits for people, whatever it is about, and the caller's own share of it. */
export const reviewsArea = defineArea({
  name: "reviews",
  collections: [reviews],
  machines: [],
  operations: [readMe, listReviews, readReview, assignReview, commentReview, explainStop],
  dues: [dueBy(reviews, "escalatesAt")],
  tick: escalateOverdue,
  follows: [...REVIEW_KIND_TABLE.map(followReviewed), followAssignees],
  extends: [reviewEvents, reviewPermissions, extend(stopNotes, askWhoStopped)],
});
