import { defineResource } from "#families/resource.js";
import { DONE, dropAnsweredRequests } from "./jobs.js";
import { listReviews, reviewFinding } from "./operations.js";
import { dismissFinding, lowerSeverity } from "./perform/second.js";
import { findingReviews } from "./schema.js";

/** Reviews of findings. */
export const reviewsResource = defineResource({
  collections: [findingReviews],
  operations: [reviewFinding, listReviews],
  fourEyes: [dismissFinding, lowerSeverity],
  aged: [
    { kind: "findingReviews", collection: findingReviews, by: "createdAt", where: DONE, also: dropAnsweredRequests },
  ],
});
