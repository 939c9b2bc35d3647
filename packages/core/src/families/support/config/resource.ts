import { defineResource } from "#families/resource.js";
import { createConfig, listConfig, resetConfig, updateConfig } from "./operations.js";

/** Platform settings, for the provider. */
export const configResource = defineResource({
  operations: [listConfig, createConfig, updateConfig, resetConfig],
});
