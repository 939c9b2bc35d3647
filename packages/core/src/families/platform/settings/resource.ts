import { defineResource } from "#families/resource.js";
import { platformSettings } from "./schema.js";

/** Settings of the platform, which its operators change. */
export const settingsResource = defineResource({
  collections: [platformSettings],
});
