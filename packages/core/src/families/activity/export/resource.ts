import { defineResource } from "#families/resource.js";
import { exportActivity } from "./operations.js";

/** Export of events with the proof that they are complete. */
export const exportResource = defineResource({
  operations: [exportActivity],
});
