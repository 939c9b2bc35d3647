import { defineFamily } from "../../kernel/family.js";
import { register } from "./registration/operations.js";
import { authPing, resetPassword, signIn } from "./sign-in/operations.js";
import { signInAttempts, signingKeys } from "./sign-in/schema.js";
import { dropOldAttempts } from "./sign-in/upkeep.js";
import { credentials } from "./users/credentials.js";
import { userStatus } from "./users/machine.js";
import { createUser, listUsers, patchUser, readUser, removeUser } from "./users/operations.js";
import { users } from "./users/schema.js";

export { ensureProviderAdmin, type ProviderAdmin, providerAdminFault } from "./provider/provider-admin.js";
export { PERMISSIONS, type Permission, permissionsOf, ROLE_NAMES, ROLES, type Role } from "./roles.js";
export { principals } from "./sign-in/principals.js";
export { tokens } from "./sign-in/tokens.js";
export { type User, users } from "./users/schema.js";

/** Who gets in and what they may do: users, roles, sign-in, registration. */
export const identity = defineFamily({
  name: "identity",
  collections: [users, credentials, signingKeys, signInAttempts],
  machines: [userStatus],
  tick: dropOldAttempts,
  operations: [signIn, resetPassword, authPing, register, listUsers, createUser, readUser, patchUser, removeUser],
});
