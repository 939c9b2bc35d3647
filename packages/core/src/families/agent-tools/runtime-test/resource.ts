import { defineResource } from "#families/resource.js";
import { testRuntime } from "./operations.js";

/** A test whether an asset could run a tool, and where it would stop. */
export const runtimeTestResource = defineResource({
  operations: [testRuntime],
});
