import { defineResource } from "#families/resource.js";
import { listRoles } from "../roles/list-roles.js";
import { foreignIdentities } from "./foreign-identities.js";
import { userStatus } from "./machine.js";
import { createUser, listUsers, patchUser, readUser, removeUser } from "./operations.js";
import { credentials } from "./passwords/credentials.js";
import { users } from "./schema.js";

/** People of a tenant, their roles and passwords. */
export const usersResource = defineResource({
  collections: [users, credentials, foreignIdentities],
  machines: [userStatus],
  operations: [listUsers, createUser, readUser, patchUser, removeUser, listRoles],
  permissions: {
    "user:read": { lets: "See users of the tenant", heldBy: ["governance_officer", "auditor", "provider_admin"] },
    "user:write": { lets: "Create, change, disable and remove users", heldBy: ["provider_admin"], peopleOnly: true },
  },
});
