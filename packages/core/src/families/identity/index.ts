import { defineFamily } from "../../kernel/family.js";
import { attempts } from "./attempts/schema.js";
import { clientCredentials, machineClients } from "./clients/schema.js";
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

export {
  CREDENTIAL_DAYS,
  CREDENTIALS_MOST,
  type IssuedCredential,
  issueCredential,
  needCredential,
  OVERLAP_SECONDS,
  revokeCredential,
  rotateCredential,
} from "./clients/credentials.js";
export { clientByCredential, clientBySubject, clientPrincipal, type PresentedClient } from "./clients/lookup.js";
export { PublicJwk } from "./clients/public-jwk.js";
export { requireScopes, secretMatches, shownCredential } from "./clients/rules.js";
export { type ClientCredential, clientCredentials, machineClients } from "./clients/schema.js";
export { alignClient, type ClientStanding, closeClient, dropCredentials, openClient } from "./clients/standing.js";
export { noteCredentialUse } from "./clients/use.js";
export { issuePasswordLink } from "./password-links/issue.js";
export { ensureProviderAdmin, type ProviderAdmin, providerAdminFault } from "./provider/provider-admin.js";
export {
  HUMAN_ONLY,
  isGrantable,
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

/** Who gets in and what they may do: users, machine clients, roles, sign-in, one-time codes, registration. */
export const identity = defineFamily({
  name: "identity",
  collections: [
    users,
    credentials,
    passwordLinks,
    signingKeys,
    attempts,
    oneTimeCodes,
    addressProofs,
    machineClients,
    clientCredentials,
  ],
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
