export type { RestoreProgress } from "./control-plane/after-restore.js";
export type { ImportOptions, ImportProgress, ImportReport } from "./control-plane/batches.js";
export type { ControlPlaneConfig } from "./control-plane/config.js";
export type { ControlPlane, RotationOptions } from "./control-plane/control-plane.js";
export { createControlPlane } from "./control-plane/create.js";
export { isSealed } from "./control-plane/is-sealed.js";
export type { CallInput, CallOutput, Decision, DecisionFields, OperationId } from "./control-plane/operation-types.js";
export { trustedIssuerFaults } from "./control-plane/options/trusted-issuers.js";
export type { TickOutcome } from "./control-plane/ticker.js";
export type { EventsVerification, EventsVerificationOptions } from "./control-plane/verify-events.js";
export { egressAllowFault } from "./egress/allow-list.js";
export { type EgressSettings, guardedEgress } from "./egress/guarded-egress.js";
export { type FetchLimits, guardedFetch } from "./egress/guarded-fetch.js";
export type { Lookup } from "./egress/resolve.js";
export { type DnsSettings, dnsServerFault, resolverDns } from "./egress/resolver-dns.js";
export { checkpointText, isSignedBy, keyIdOf } from "./families/activity/chain/checkpoints/checkpoint.js";
export {
  type ChainVerification,
  type ExportRange,
  exportEvents,
  exportSlice,
  type SliceRange,
  type VerifyOptions,
  verifyChain,
} from "./families/activity/index.js";
export { assertionConnector } from "./families/agent-tools/index.js";
export { signOnConnector } from "./families/apps/index.js";
export { type ComplianceReport, compliancePage, REPORT_FORMAT } from "./families/compliance/index.js";
export type { Imported, ImportItem } from "./families/estate/index.js";
export { type HostTenant, type ProviderAdmin, providerAdminFault, type Rotation } from "./families/identity/index.js";
export { checkIssuerKeys, type IssuerKeys } from "./families/identity/issuers/verify/read-keys.js";
export type { DeliveryBacklog } from "./families/notices/index.js";
export type {
  AuditSink,
  Checkpoint,
  CheckpointHistory,
  CheckpointIndex,
  CheckpointSignature,
  GivenOptions,
  HostPrincipal,
  HostRole,
  Options,
  SigningAlgorithm,
  TrustedIssuer,
} from "./families/options.js";
export type { Capability } from "./families/platform/index.js";
export { type BlockedStatus, SessionBlockedError } from "./families/sessions/guard/watch/blocked.js";
export {
  type Admission,
  type Admitted,
  type CutResponse,
  endWithSession,
  type SessionGate,
  type SessionGateOptions,
  sessionGate,
} from "./families/sessions/guard/watch/gate.js";
export type { GuardedCall, WrapOptions } from "./families/sessions/guard/watch/guard.js";
export type { SessionGuard, SessionGuardOptions } from "./families/sessions/guard/watch/open.js";
export { scryptHasher } from "./kernel/async/scrypt-hasher.js";
export type { ConsolePages, ConsoleSettings, EventDocument, ReferenceAssets } from "./kernel/config/options.js";
export type { Principal } from "./kernel/config/principal.js";
export type { RateLimits } from "./kernel/config/rate-limits.js";
export { schemaInOrder } from "./kernel/events/schema-order.js";
export { type ErrorCode, ReeveError } from "./kernel/http/errors.js";
export { type ByteStream, type NeutralRequest, type NeutralResponse, readBytes } from "./kernel/http/http.js";
export { nodeBody, type ParsedBody } from "./kernel/http/node-body.js";
export type { BatchProgress, BatchReport } from "./kernel/pipeline/batch/progress.js";
export type { BatchInputs, BatchOptions } from "./kernel/pipeline/batch/run.js";
export type { BatchOutcome } from "./kernel/pipeline/batch/work.js";
export type { FetchOptions } from "./mount/fetch.js";
export { type Mount, mountAt } from "./mount/prefix.js";
export type { Clock } from "./ports/clock.js";
export type { Dns } from "./ports/dns.js";
export type {
  ConnectingEgress,
  Egress,
  EgressRequest,
  EgressResponse,
  EgressStream,
  EgressStreamRequest,
  PermittedAddress,
  StreamingEgress,
} from "./ports/egress.js";
export type { IdSource } from "./ports/ids.js";
export type { KeyEncryption, MasterKey, MasterKeys } from "./ports/key-encryption.js";
export { type Logger, silentLogger } from "./ports/logger.js";
export type { Mail, Mailer } from "./ports/mailer.js";
export {
  MCP_CLIENT_CAPABILITIES,
  MCP_FAILURES,
  MCP_LIMITS,
  MCP_OPTIONAL_PARTS,
  type McpCallOutcome,
  type McpClient,
  type McpConnector,
  type McpFailure,
  type McpFailureCode,
  type McpLaunch,
  type McpLeftOut,
  type McpMessage,
  type McpOAuth,
  type McpOptions,
  type McpOutcome,
  type McpOwnResult,
  type McpOwnTool,
  type McpProbe,
  type McpPrompt,
  type McpProtocol,
  type McpReply,
  type McpResource,
  type McpResourceTemplate,
  type McpSnapshot,
  type McpTarget,
  type McpTool,
  type McpToolbox,
  type McpToolCall,
  type McpToolResult,
} from "./ports/mcp.js";
export type {
  OpenidAnswer,
  OpenidAttempt,
  OpenidEngine,
  OpenidFlow,
  OpenidProvider,
  OpenidRefusal,
} from "./ports/openid.js";
export type { PasskeyEngine, PasskeyMessage, PasskeySite, StoredPasskey } from "./ports/passkeys.js";
export type { PasswordHasher } from "./ports/password-hasher.js";
export {
  NAME_ID_FORMATS,
  type NameIdFormat,
  SAML_REFUSALS,
  type SamlAttribute,
  type SamlAuthnRequest,
  type SamlBinding,
  type SamlCertificate,
  type SamlEngine,
  type SamlEnvelope,
  SamlError,
  type SamlExpectation,
  type SamlFailure,
  type SamlIssuer,
  type SamlKey,
  type SamlLeftOut,
  type SamlLogoutDraft,
  type SamlLogoutRequest,
  type SamlLogoutResponse,
  type SamlLogoutSubject,
  type SamlMessage,
  type SamlOutgoing,
  type SamlProvider,
  type SamlRefusal,
  type SamlSigner,
  type SamlSignOn,
} from "./ports/saml.js";
export { createMemoryStore } from "./store/memory/memory-store.js";
export type { Reader, Store } from "./store/store.js";
