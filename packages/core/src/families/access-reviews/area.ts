import { defineArea } from "#families/area.js";
import { certificationsResource } from "./certifications/resource.js";
import { accessReviewsEvents } from "./events.js";
import { accessReviewsDues, runAccessReviewsJobs } from "./jobs.js";

/** Certifications: people decide again and again whether access is still needed. */
export const accessReviewsArea = defineArea({
  name: "access-reviews",
  resources: [certificationsResource],
  dues: accessReviewsDues,
  tick: runAccessReviewsJobs,
  events: accessReviewsEvents,
});
