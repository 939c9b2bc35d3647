export { awaitedIn, helpersIn, type StandIns } from "./reviews/find-deciders.js";
export { reviewsFor } from "./reviews/queries.js";
export { type Review, reviewAt, reviews } from "./reviews/schema.js";
