import { defineEvents } from "../events.js";

export const accountabilityEvents = defineEvents({
  "decision.related_party": "somebody related to who asked took a decision that needs a four-eyes approver",
});
