import { defineResource } from "#families/resource.js";
import { readRequestSchema } from "./operations.js";

/** The schema of a request form, by connector. */
export const formsResource = defineResource({
  operations: [readRequestSchema],
});
