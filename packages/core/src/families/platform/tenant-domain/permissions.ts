import { definePermissions, READERS } from "#families/roles.js";

export const tenantDomainPermissions = definePermissions({
  "tenant-domain:read": { lets: "See the tenant's subdomain and alias", heldBy: READERS },
  "tenant-domain:write": { lets: "Change the tenant's subdomain, claim and release its alias", heldBy: [] },
});
