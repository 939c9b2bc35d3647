import { defineResource } from "#families/resource.js";
import { dropWithAsset } from "./link-tools.js";
import { linkClientPack, listClientPacks } from "./operations.js";
import { registeredTools } from "./schema.js";

/** Tools that clients have of their own. */
export const packsResource = defineResource({
  collections: [registeredTools],
  operations: [listClientPacks, linkClientPack],
  follows: [dropWithAsset],
});
