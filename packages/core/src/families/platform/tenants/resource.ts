import { defineResource } from "#families/resource.js";
import { aliasStatus, tenantStatus } from "./machine.js";
import { tenants } from "./schema.js";
import { tenantRegistry } from "./tenant-registry.js";

/** Tenants, and the registry of all of them. */
export const tenantsResource = defineResource({
  collections: [tenants, tenantRegistry],
  machines: [tenantStatus, aliasStatus],
});
