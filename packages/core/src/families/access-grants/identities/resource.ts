import { defineResource } from "#families/resource.js";
import { declareAccessIdentity, listAccessIdentities, removeAccessIdentity } from "./operations.js";

/** Operations on the accounts with which assets act in targets. */
export const identitiesResource = defineResource({
  operations: [listAccessIdentities, declareAccessIdentity, removeAccessIdentity],
});
