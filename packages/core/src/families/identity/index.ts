import { extend } from "#kernel/config/extension.js";
import { defineArea } from "#kernel/operation/area.js";
import { defineEventReaders } from "#kernel/operation/shown-events.js";
import { attempts } from "./attempts/schema.js";
import { clientCredentials, machineClients } from "./clients/schema.js";
import { identityEvents } from "./events.js";
import { issueToken } from "./grants/operations.js";
import { usedAssertions } from "./grants/prove/used-assertions.js";
import { introspect, revoke } from "./introspection/operations.js";
import { endRestoredSignIns, endSignIns, identityDues, runIdentityJobs } from "./jobs.js";
import { readJwks } from "./keys/operations.js";
import { signingKeys } from "./keys/schema.js";
import { readMetadata } from "./metadata/operations.js";
import { sendOtp, verifyOtp } from "./one-time-codes/operations.js";
import { addressProofs, oneTimeCodes } from "./one-time-codes/schema.js";
import { inviteUser, setPassword } from "./password-links/operations.js";
import { passwordLinks } from "./password-links/schema.js";
import { issuePasswordLink } from "./password-links/send/issue.js";
import { register } from "./registration/operations.js";
import { signOut } from "./sessions/operations.js";
import { refreshTokens } from "./sessions/schema.js";
import { authPing, resetPassword, signIn } from "./sign-in/operations.js";
import { revokedTokens } from "./tokens/revoke/revoked.js";
import { foreignIdentities } from "./users/links/foreign-identities.js";
import { userStatus } from "./users/machine.js";
import { createUser, listUsers, patchUser, readUser, removeUser } from "./users/operations.js";
import { credentials } from "./users/passwords/credentials.js";
import { invitationMails } from "./users/passwords/invitation-mails.js";
import { userPermissions } from "./users/permissions.js";
import { users } from "./users/schema.js";

export { budgets } from "./attempts/limit/budgets.js";
export { ATTEMPT_WINDOW, attempt, budgetOf } from "./attempts/limit/gate.js";
export {
  CREDENTIAL_DAYS,
  CREDENTIALS_MOST,
  type IssuedCredential,
  issueCredential,
  needCredential,
  OVERLAP_SECONDS,
  revokeCredential,
  rotateCredential,
} from "./clients/credentials/credentials.js";
export { PublicJwk } from "./clients/credentials/public-jwk.js";
export { isUsable, requireScopes, secretMatches, shownCredential } from "./clients/rules.js";
export { type ClientCredential, clientCredentials, machineClients } from "./clients/schema.js";
export {
  clientByCredential,
  clientBySubject,
  clientPrincipal,
  type PresentedClient,
} from "./clients/sign-in/lookup.js";
export { recordCredentialUse } from "./clients/sign-in/use.js";
export {
  alignClient,
  type ClientStanding,
  closeClient,
  dropCredentials,
  openClient,
  prefetchClients,
} from "./clients/standing/standing.js";
export { type Rotation, rotateSigningKey } from "./keys/rotate/rotate.js";
export { ensureProviderAdmin, type ProviderAdmin, providerAdminFault } from "./provider/ensure/provider-admin.js";
export { ensureTenant, type HostTenant } from "./registration/ensure/ensure-tenant.js";
export { RoleBook, type RolesOf, roles } from "./roles/rules.js";
export { type Companion, endSignIn } from "./sessions/refresh/family.js";
export { startSession, userPrincipal } from "./sessions/start/start.js";
export { provePassword } from "./sign-in/authenticate/passwords.js";
export { principals } from "./sign-in/authenticate/principals.js";
export { isStillSignedIn } from "./sign-in/authenticate/still-signed-in.js";
export { SignIn } from "./sign-in/schema.js";
export { moveStatus, requireRemainingOwner } from "./users/operations.js";
export { renewCredential } from "./users/passwords/credentials.js";
export { standsAsBefore } from "./users/rules.js";
export { foldUsername, Password, type User, User as UserSchema, users } from "./users/schema.js";
export { endSignIns, issuePasswordLink };

/** Users, machine clients, roles, sign-in, one-time codes and registration. */
export const identity = defineArea({
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
    foreignIdentities,
    refreshTokens,
    revokedTokens,
    usedAssertions,
  ],
  machines: [userStatus],
  dues: identityDues,
  tick: runIdentityJobs,
  restored: endRestoredSignIns,
  operations: [
    signIn,
    issueToken,
    revoke,
    introspect,
    signOut,
    resetPassword,
    setPassword,
    authPing,
    readJwks,
    readMetadata,
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
  extends: [
    identityEvents,
    userPermissions,
    extend(invitationMails, (ctx, user, reason) => issuePasswordLink(ctx, user, "invitation", reason)),
    // What a machine did is told of it by the kind of its principal.
    defineEventReaders({
      client: ["ai-identity:read"],
      address: ["user:read"],
      signing_key: ["support:read"],
      platform: ["support:read"],
    }),
  ],
});
