import { defineResource } from "#families/resource.js";
import { countFindingsByDay } from "./operations.js";
import { findingDays } from "./schema.js";

/** Counts of findings by the day. */
export const daysResource = defineResource({
  operations: [countFindingsByDay],
  collections: [findingDays],
  aged: [{ kind: "findingDays", collection: findingDays, by: "createdAt" }],
});
