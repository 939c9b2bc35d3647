import { defineResource } from "#families/resource.js";
import { introspect, revoke } from "./operations.js";

/** Revocation and introspection of tokens. */
export const introspectionResource = defineResource({
  operations: [revoke, introspect],
});
