import { defineResource } from "#families/resource.js";
import { listOrgUsers, resetUserPassword, setSupportedUserStatus } from "./operations.js";

/** Users of tenants, for the provider. */
export const usersResource = defineResource({
  operations: [listOrgUsers, setSupportedUserStatus, resetUserPassword],
});
