export { reviewAt, reviews } from "./reviews/schema.js";
