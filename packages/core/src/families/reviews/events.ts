import type { OwnEvents } from "../events.js";

export const reviewEvents: OwnEvents = {
  "stop.explained":
    "Whoever stopped something without a reason has said why. `data` holds the `act`, the `reason` and when it was stopped.",
  "review.overdue":
    "What waits for a decision is overdue; told of once for each due date. `data` holds `kind`, `subject`, who is to decide and `dueAt`.",
  "review.commented":
    "Somebody commented on what waits for a decision. `data` holds `kind`, the `subject` to decide about and the `comment`.",
};
