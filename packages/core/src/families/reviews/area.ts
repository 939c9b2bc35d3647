import { defineArea } from "#families/area.js";
import { reviewEvents } from "./events.js";
import { meResource } from "./me/resource.js";
import { namesResource } from "./names/resource.js";
import { reviewsResource } from "./reviews/resource.js";
import { savedViewsResource } from "./saved-views/resource.js";

/** What waits for people, whatever it is about, the caller's own share of it, and the views that people keep. */
export const reviewsArea = defineArea({
  name: "reviews",
  resources: [reviewsResource, meResource, namesResource, savedViewsResource],
  events: reviewEvents,
});
