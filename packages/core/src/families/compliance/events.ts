import type { OwnEvents } from "../events.js";

export const complianceEvents: OwnEvents = {
  "compliance.report.filed":
    "Somebody filed a report. `data.digest` is the SHA-256 of the report, `data.inputsDigest` that of what its numbers rest on, `data.asOf` its moment.",
  "compliance.evidence.added":
    "Somebody attached evidence to the assessment of a control. `data.evidence` says where each piece is and how long it counts.",
  "compliance.evidence.expired":
    "The evidence of an assessment has grown too old, and nothing is assessed any more. `data.from` is what it was.",
};
