import { defineResource } from "#families/resource.js";
import { importAssets } from "./operations.js";

/** Import of many assets with their records in one request. */
export const importResource = defineResource({
  operations: [importAssets],
});
