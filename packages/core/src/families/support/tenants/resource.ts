import { defineResource } from "#families/resource.js";
import { eraseClosedTenants } from "./jobs.js";
import { listOrgs, listTenants, readOrg, setTenantStatus } from "./operations.js";

/** Tenants, for the provider, and the erasure of closed ones. */
export const tenantsResource = defineResource({
  operations: [listOrgs, readOrg, listTenants, setTenantStatus],
  tick: eraseClosedTenants,
});
