import { defineFamily } from "../../kernel/family.js";
import { attempts } from "./attempts/schema.js";
import { sendOtp, verifyOtp } from "./one-time-codes/operations.js";
import { addressProofs, oneTimeCodes } from "./one-time-codes/schema.js";
import { inviteUser, setPassword } from "./password-links/operations.js";
import { passwordLinks } from "./password-links/schema.js";
import { register } from "./registration/operations.js";
import { authPing, resetPassword, signIn } from "./sign-in/operations.js";
import { signingKeys } from "./sign-in/schema.js";
import { tendIdentity } from "./upkeep.js";
import { credentials } from "./users/credentials.js";
import { userStatus } from "./users/machine.js";
import { createUser, listUsers, patchUser, readUser, removeUser } from "./users/operations.js";
import { users } from "./users/schema.js";

export { issuePasswordLink } from "./password-links/issue.js";
export { ensureProviderAdmin, type ProviderAdmin, providerAdminFault } from "./provider/provider-admin.js";
export {
  isSupport,
  PERMISSIONS,
  type Permission,
  PROVIDER_ROLES,
  permissionsOf,
  ROLE_DESCRIPTIONS,
  ROLES,
  type Role,
  roles,
  TENANT_ROLES,
} from "./roles.js";
export { principals } from "./sign-in/principals.js";
export { tokens } from "./sign-in/tokens.js";
export { renewCredential } from "./users/credentials.js";
export { keepAnOwner, setUserStatus } from "./users/operations.js";
export { type User, User as UserSchema, users } from "./users/schema.js";

/** Who gets in and what they may do: users, roles, sign-in, one-time codes, registration. */
export const identity = defineFamily({
  name: "identity",
  collections: [users, credentials, passwordLinks, signingKeys, attempts, oneTimeCodes, addressProofs],
  machines: [userStatus],
  tick: tendIdentity,
  operations: [
    signIn,
    resetPassword,
    setPassword,
    authPing,
    sendOtp,
    verifyOtp,
    register,
    listUsers,
    createUser,
    readUser,
    patchUser,
    removeUser,
    inviteUser,
  ],
});
