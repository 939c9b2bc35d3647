import { defineResource } from "#families/resource.js";
import { erasureStatus } from "./machine.js";
import { decideErasure, eraseEvents, listErasures, readErasure } from "./operations.js";
import { erasures } from "./schema.js";

/** Erasure of personal data in events, decided by two people. */
export const erasuresResource = defineResource({
  collections: [erasures],
  machines: [erasureStatus],
  operations: [listErasures, eraseEvents, readErasure, decideErasure],
});
