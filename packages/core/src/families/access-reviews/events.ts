import type { OwnEvents } from "../events.js";

export const accessReviewsEvents: OwnEvents = {
  "access.certification.stage_completed":
    "A stage of a certification is over, and the next one asks other reviewers. `data` holds the `stage`, from 0.",
  "access.certification.escalated":
    "What nobody had decided in time was put to the owner of a certification. `data` holds the `stage`.",
  "access.certification_item.voted":
    "A reviewer decided about access, and others are to decide too. `data` holds the `decision`; `null` where it was taken back.",
  "access.certification_item.delegated":
    "A reviewer handed access to another one. `data` holds `from`, `to` and the `reason`.",
  "access.certification_item.reassigned":
    "Nobody who was asked to review access can any more, and others are asked. `data` holds `from`, `to`, empty where nobody is left, and the `reason`.",
};
