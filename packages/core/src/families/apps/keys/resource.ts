import { defineResource } from "#families/resource.js";
import { activateKey, createKey, listKeys } from "./operations.js";
import { samlKeys } from "./schema.js";

/** Keys that sign assertions, and their rotation. */
export const keysResource = defineResource({
  collections: [samlKeys],
  operations: [listKeys, createKey, activateKey],
});
