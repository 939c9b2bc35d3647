import { defineResource } from "#families/resource.js";
import { origins } from "./schema.js";

/** Who is behind each account and each machine, also after it is deleted. */
export const originsResource = defineResource({
  collections: [origins],
});
