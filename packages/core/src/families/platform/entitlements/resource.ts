import { defineResource } from "#families/resource.js";
import { listCapabilities } from "./operations.js";
import { entitlements } from "./schema.js";

/** Capabilities that a tenant is entitled to. */
export const entitlementsResource = defineResource({
  collections: [entitlements],
  operations: [listCapabilities],
});
