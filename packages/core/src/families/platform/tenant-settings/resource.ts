import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { patchTenantSettings, readTenantSettings } from "./operations.js";

/** Settings that a tenant changes itself. */
export const tenantSettingsResource = defineResource({
  operations: [readTenantSettings, patchTenantSettings],
  permissions: {
    "tenant-settings:read": { lets: "See the settings of the tenant", heldBy: READERS },
    "tenant-settings:write": { lets: "Change the settings of the tenant", heldBy: [] },
  },
});
