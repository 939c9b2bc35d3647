import { defineResource } from "#families/resource.js";
import { testRuntime } from "./operations.js";

/** A trial of the runtime of a tool. */
export const runtimeTestResource = defineResource({
  operations: [testRuntime],
});
