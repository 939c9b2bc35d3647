import { defineResource } from "#families/resource.js";
import { platformSettings } from "./schema.js";

/** Settings of the platform and of tenants. */
export const settingsResource = defineResource({
  collections: [platformSettings],
});
