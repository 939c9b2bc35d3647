import { defineEvents } from "../events.js";

export const reviewEvents = defineEvents({
  "review.commented":
    "Somebody commented on what waits for a decision. `data` holds `kind`, the `subject` to decide about and the `comment`.",
});
