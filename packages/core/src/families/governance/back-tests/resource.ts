import { defineResource } from "#families/resource.js";
import { backTestPolicy } from "./operations.js";

/** Trials of a policy against assets and past decisions. */
export const backTestsResource = defineResource({
  operations: [backTestPolicy],
});
