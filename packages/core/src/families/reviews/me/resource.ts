import { defineResource } from "#families/resource.js";
import { readMe } from "./operations.js";

/** The caller's own share of what waits. */
export const meResource = defineResource({
  operations: [readMe],
});
