import { defineResource } from "#families/resource.js";
import { readMe } from "./operations.js";

/** The caller as the provider sees them. */
export const meResource = defineResource({
  operations: [readMe],
});
