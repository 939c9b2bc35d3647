import { defineResource } from "#families/resource.js";
import { origins } from "./schema.js";

/** Which principal created or changed what is now in review. */
export const originsResource = defineResource({
  collections: [origins],
});
