export { awaitedIn } from "./reviews/find-deciders.js";
export { reviewsFor } from "./reviews/queries.js";
export { type Review, reviewAt, reviews } from "./reviews/schema.js";
