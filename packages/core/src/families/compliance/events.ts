import { defineEvents } from "../events.js";

export const complianceEvents = defineEvents({
  "compliance.evidence.added":
    "Somebody attached evidence to the assessment of a control. `data.evidence` says where each piece is and how long it counts.",
  "compliance.evidence.expired":
    "The evidence of an assessment has grown too old, and nothing is assessed any more. `data.from` is what it was.",
});
