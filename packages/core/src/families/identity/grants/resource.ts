import { defineResource } from "#families/resource.js";
import { issueToken } from "./operations.js";
import { usedAssertions } from "./prove/used-assertions.js";

/** The token endpoint and its grants. */
export const grantsResource = defineResource({
  collections: [usedAssertions],
  operations: [issueToken],
});
