import { defineResource } from "#families/resource.js";
import { SUPPORT_PERMISSIONS } from "./support-permissions.js";

/** Permissions for acts of the provider's people. */
export const actionsResource = defineResource({
  permissions: SUPPORT_PERMISSIONS,
});
