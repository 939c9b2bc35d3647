import type { OwnEvents } from "../events.js";

export const accountabilityEvents: OwnEvents = {
  "decision.related_party": "somebody related to who asked took a decision that needs a four-eyes approver",
};
