import { defineResource } from "#families/resource.js";
import { defineEventReaders } from "#kernel/operation/shown-events.js";
import { readJwks } from "./operations.js";
import { signingKeys } from "./schema.js";

/** Keys that sign access tokens, and their rotation. */
export const keysResource = defineResource({
  collections: [signingKeys],
  operations: [readJwks],
  extends: [defineEventReaders({ signing_key: ["support:read"] })],
});
