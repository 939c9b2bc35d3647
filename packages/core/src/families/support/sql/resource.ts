import { defineResource } from "#families/resource.js";
import { runSql } from "./operations.js";

/** Read-only SQL, for the provider. */
export const sqlResource = defineResource({
  operations: [runSql],
});
