import { defineResource } from "#families/resource.js";
import { readMe } from "./operations.js";

/** The provider's principal, and what it may do. */
export const meResource = defineResource({
  operations: [readMe],
});
