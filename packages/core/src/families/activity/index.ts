import { defineFamily } from "../../kernel/family.js";
import { listActivity, listSubjectActivity, verifyActivity } from "./operations.js";

export { filterEvents, SEARCHED_EVENTS } from "./filter.js";
export { Event } from "./schema.js";

/** The tamper-evident stream of everything that happens in a tenant. */
export const activity = defineFamily({
  name: "activity",
  collections: [],
  machines: [],
  operations: [listActivity, listSubjectActivity, verifyActivity],
});
