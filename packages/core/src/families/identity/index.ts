export { budgets } from "./attempts/limit/budgets.js";
export { ATTEMPT_WINDOW, attempt, attemptToken, budgetOf } from "./attempts/limit/gate.js";
export {
  CREDENTIAL_DAYS,
  CREDENTIALS_MOST,
  type IssuedCredential,
  issueCredential,
  needCredential,
  OVERLAP_SECONDS,
  revokeCredential,
  rotateCredential,
} from "./clients/client-credentials.js";
export {
  alignClient,
  type ClientStanding,
  closeClient,
  dropCredentials,
  openClient,
  prefetchClients,
} from "./clients/client-standing.js";
export {
  clientByCredential,
  clientBySubject,
  clientPrincipal,
  type PresentedClient,
} from "./clients/look-up-client.js";
export { PublicJwk } from "./clients/public-jwk.js";
export { isUsable, requireScopes, secretMatches, shownCredential } from "./clients/rules.js";
export { type ClientCredential, clientCredentials, machineClients } from "./clients/schema.js";
export { recordCredentialUse } from "./clients/use-credential.js";
export { type TokenKind, tokenKinds } from "./grants/issue/token-kinds.js";
export { type OAuthError, oauthRefusal } from "./grants/refuse-oauth.js";
export type { TokenAnswer, TokenRequest } from "./grants/schema.js";
export { endSignIns } from "./jobs.js";
export { keyRing } from "./keys/key-ring.js";
export { type Rotation, rotateSigningKey } from "./keys/rotate/rotate.js";
export { issuePasswordLink } from "./password-links/send/issue.js";
export { mailService } from "./password-links/send/mail-service.js";
export { ensureTenant, type HostTenant } from "./registration/ensure-tenant.js";
export { ensureProviderAdmin, type ProviderAdmin, providerAdminFault } from "./registration/provider-admin.js";
export { RoleBook, type RolesOf, roles } from "./roles/rules.js";
export { beginEnrolment } from "./second-factors/manage/begin-enrolment.js";
export { type Companion, endSignIn } from "./sessions/refresh-family.js";
export { startSession, userPrincipal } from "./sessions/start-session.js";
export { type BearerKind, bearerKinds } from "./sign-in/authenticate/bearer-kinds.js";
export { principals } from "./sign-in/authenticate/principals.js";
export { provePerson } from "./sign-in/authenticate/prove-person.js";
export { isStillSignedIn } from "./sign-in/authenticate/still-signed-in.js";
export { SignIn } from "./sign-in/schema.js";
export { moveStatus, requireRemainingOwner } from "./users/operations.js";
export { renewCredential } from "./users/passwords/credentials.js";
export { holdersOf } from "./users/permission-holders.js";
export { standsAsBefore } from "./users/rules.js";
export { foldUsername, Password, type User, User as UserSchema, users } from "./users/schema.js";
