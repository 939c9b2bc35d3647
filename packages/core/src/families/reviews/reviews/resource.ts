import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { extend } from "#kernel/config/extension.js";
import { dueBy } from "#kernel/operation/dues.js";
import { stopNotes } from "#kernel/operation/stops.js";
import { askWhoStopped } from "./ask-who-stopped.js";
import { readChanges } from "./changes/operations.js";
import { followAssignees } from "./follow-people.js";
import { followReviewed } from "./follow-reviewed.js";
import { escalateOverdue } from "./jobs.js";
import { readOpening } from "./opening/operations.js";
import { assignReview, commentReview, listReviews, readReview } from "./operations.js";
import { listReviewPeople } from "./people-operations.js";
import { explainStop } from "./reason-operations.js";
import { REVIEW_KIND_TABLE } from "./review-kinds.js";
import { reviews } from "./schema.js";

/** Everything that waits for a person, with assignment and escalation. */
export const reviewsResource = defineResource({
  collections: [reviews],
  operations: [
    listReviews,
    readReview,
    readOpening,
    readChanges,
    listReviewPeople,
    assignReview,
    commentReview,
    explainStop,
  ],
  permissions: {
    "review:read": {
      lets: "See what waits for a decision, of the kinds that one may see anyway, and say why one stopped something",
      heldBy: [...READERS, "member", "provider_admin"],
    },
    "review:comment": {
      lets: "Comment on what waits for a decision",
      heldBy: ["governance_officer", "approver", "operator", "member"],
    },
    "review:assign": {
      lets: "Say who is to decide what waits, and until when",
      heldBy: ["governance_officer", "approver"],
    },
  },
  follows: [...REVIEW_KIND_TABLE.map(followReviewed), followAssignees],
  extends: [extend(stopNotes, askWhoStopped)],
  dues: [dueBy(reviews, "escalatesAt")],
  tick: escalateOverdue,
});
