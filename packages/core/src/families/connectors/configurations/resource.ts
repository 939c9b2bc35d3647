import { defineResource } from "#families/resource.js";
import { configurationVersions } from "./schema.js";

/** Versions of configurations. */
export const configurationsResource = defineResource({
  collections: [configurationVersions],
});
