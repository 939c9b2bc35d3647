import { defineResource } from "#families/resource.js";
import { listEntitlements, setEntitlement } from "./operations.js";

/** Entitlements of tenants, for the provider. */
export const entitlementsResource = defineResource({
  operations: [listEntitlements, setEntitlement],
});
