import { defineResource } from "#families/resource.js";
import { consoleAsset, consoleConfig, consolePage } from "./operations.js";

/** The pages for people in a browser. */
export const consoleResource = defineResource({
  operations: [consolePage, consoleAsset, consoleConfig],
});
