import { defineResource } from "#families/resource.js";
import { exportActivity } from "./operations.js";

/** Export of events with a content hash. */
export const exportResource = defineResource({
  operations: [exportActivity],
});
