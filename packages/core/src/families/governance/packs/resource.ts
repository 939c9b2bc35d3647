import { defineResource } from "#families/resource.js";
import { installPolicyPack, listPacks } from "./operations.js";

/** Packs of policies that can be installed. */
export const packsResource = defineResource({
  operations: [listPacks, installPolicyPack],
});
