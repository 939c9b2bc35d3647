import { definePermissions, READERS } from "#families/roles.js";

export const tenantSettingsPermissions = definePermissions({
  "tenant-settings:read": { lets: "See the settings of the tenant", heldBy: READERS },
  "tenant-settings:write": { lets: "Change the settings of the tenant", heldBy: [] },
});
