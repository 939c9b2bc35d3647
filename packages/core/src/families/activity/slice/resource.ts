import { defineResource } from "#families/resource.js";
import { exportActivitySlice } from "./operations.js";

/** Export of some events with the proof that they are all of their kind. */
export const sliceResource = defineResource({
  operations: [exportActivitySlice],
});
