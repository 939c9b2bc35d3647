import { defineArea } from "#families/area.js";
import { reviewEvents } from "./events.js";
import { meResource } from "./me/resource.js";
import { reviewsResource } from "./reviews/resource.js";

/** What waits for people, whatever it is about, and the caller's own share of it. */
export const reviewsArea = defineArea({
  name: "reviews",
  resources: [reviewsResource, meResource],
  events: reviewEvents,
});
