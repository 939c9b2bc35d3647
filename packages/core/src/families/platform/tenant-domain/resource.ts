import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { patchDomain, putAlias, readTenantDomain, removeAlias } from "./operations.js";

/** The domain of a tenant: subdomain and alias. */
export const tenantDomainResource = defineResource({
  operations: [readTenantDomain, patchDomain, putAlias, removeAlias],
  permissions: {
    "tenant-domain:read": { lets: "See the tenant's subdomain and alias", heldBy: READERS },
    "tenant-domain:write": { lets: "Change the tenant's subdomain, claim and release its alias", heldBy: [] },
  },
});
