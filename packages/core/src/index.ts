export type { ImportOptions, ImportProgress, ImportReport } from "./control-plane/batches.js";
export type { ControlPlaneConfig } from "./control-plane/config.js";
export type { ControlPlane, RotationOptions } from "./control-plane/control-plane.js";
export { createControlPlane } from "./control-plane/create.js";
export type { CallInput, CallOutput, OperationId } from "./control-plane/operation-types.js";
export { egressAllowFault } from "./egress/allow-list.js";
export { type EgressSettings, guardedEgress } from "./egress/guarded-egress.js";
export { type FetchLimits, guardedFetch } from "./egress/guarded-fetch.js";
export type { Lookup } from "./egress/resolve.js";
export { type DnsSettings, dnsServerFault, resolverDns } from "./egress/resolver-dns.js";
export {
  type ChainVerification,
  type ExportRange,
  exportEvents,
  OWN_EVENTS,
  type VerifyOptions,
  verifyChain,
} from "./families/activity/index.js";
export {
  type Imported,
  type ImportItem,
  manifestDigest as mcpManifestDigest,
  promptPin as mcpPromptPin,
  templatePin as mcpResourceTemplatePin,
  toolPin as mcpToolPin,
} from "./families/estate/index.js";
export { opened as openedFinding } from "./families/findings/index.js";
export { type Decision, type DecisionFields, REVIEW_ACTIONS } from "./families/governance/index.js";
export {
  HUMAN_ONLY,
  PERMISSIONS,
  PROVIDER_ROLES,
  type ProviderAdmin,
  permissionsOf,
  providerAdminFault,
  ROLE_DESCRIPTIONS,
  ROLES,
  type Rotation,
  TENANT_ROLES,
} from "./families/identity/index.js";
export { collections, families, machines, operations } from "./families/index.js";
export {
  KILL_SWITCHES,
  PLATFORM_TENANT,
  SETTINGS,
  type SettingKey,
  settingShape,
  TARGETED_SWITCHES,
} from "./families/platform/index.js";
export type { BatchInputs, BatchOptions } from "./kernel/batch/run.js";
export type { BatchProgress, BatchReport } from "./kernel/batch/tally.js";
export type { BatchOutcome } from "./kernel/batch/work.js";
export { GENESIS_HASH, linkHash, sequenceText, sha256 } from "./kernel/chain.js";
export { type Checkpoint, type CheckpointSignature, checkpointText, isSignedBy, keyIdOf } from "./kernel/checkpoint.js";
export {
  type Collection,
  defineCollection,
  type Field,
  type FieldType,
  type FieldValue,
  fieldValue,
  foldText,
  type Index,
  isIdOf,
  type StoredRecord,
} from "./kernel/collection.js";
export { ERRORS, type ErrorCode, ReeveError } from "./kernel/errors.js";
export { draftEvent, eventText, historyStream } from "./kernel/events.js";
export { type ByteStream, type NeutralRequest, type NeutralResponse, readBytes } from "./kernel/http.js";
export { LIMITS, type LimitKey } from "./kernel/limits.js";
export type { Machine } from "./kernel/machine.js";
export { errorCodesOf } from "./kernel/openapi.js";
export { CAPABILITIES, type Capability, effectOf, type Operation, TAGS } from "./kernel/operation.js";
export type {
  EventDocument,
  GivenOptions,
  HostPrincipal,
  HostRole,
  Options,
  ReferenceAssets,
  SigningAlgorithm,
} from "./kernel/options.js";
export type { Principal } from "./kernel/principal.js";
export type { RateLimits } from "./kernel/rate-limit/buckets.js";
export type { TrustedIssuer } from "./kernel/trusted-issuers.js";
export { type Clock, manualClock, systemClock, timestamp } from "./ports/clock.js";
export type { Dns } from "./ports/dns.js";
export type {
  Egress,
  EgressRequest,
  EgressResponse,
  EgressStream,
  EgressStreamRequest,
  StreamingEgress,
} from "./ports/egress.js";
export { type IdSource, ulidSource } from "./ports/ids.js";
export type { KeyEncryption, MasterKey, MasterKeys } from "./ports/key-encryption.js";
export { type Logger, silentLogger } from "./ports/logger.js";
export type { Mail, Mailer } from "./ports/mailer.js";
export {
  MCP_FAILURES,
  MCP_LIMITS,
  type McpConnector,
  type McpFailure,
  type McpFailureCode,
  type McpOAuth,
  type McpOptions,
  type McpOutcome,
  type McpProbe,
  type McpPrompt,
  type McpProtocol,
  type McpResource,
  type McpResourceTemplate,
  type McpSnapshot,
  type McpTarget,
  type McpTool,
} from "./ports/mcp.js";
export { type PasswordHasher, scryptHasher } from "./ports/password-hasher.js";
export { type BlockedStatus, SessionBlockedError } from "./session-guard/blocked.js";
export {
  type Admission,
  type Admitted,
  type CutResponse,
  endWithSession,
  refusalOf,
  type SessionGate,
  type SessionGateOptions,
  sessionGate,
} from "./session-guard/gate.js";
export type { GuardedCall, WrapOptions } from "./session-guard/guard.js";
export type { SessionGuard, SessionGuardOptions } from "./session-guard/open.js";
export { columnValues } from "./store/column.js";
export type { EventDraft, EventPage, EventQuery, StoredEvent } from "./store/event-log.js";
export { checkClaims, checkNew, checkSuccessor } from "./store/guards.js";
export { createMemoryStore } from "./store/memory/memory-store.js";
export { Outcome } from "./store/outcome.js";
export {
  COUNT_LIMIT,
  type Condition,
  type CountPlan,
  checkEventQuery,
  checkIds,
  checkPlatform,
  checkPrune,
  checkSequences,
  checkSize,
  checkTally,
  countLimit,
  type FindPlan,
  planCount,
  planEach,
  planFind,
  planLookup,
  planLookups,
  SEARCH_CANDIDATES,
  SEARCH_COUNT_LIMIT,
  SIZE_LIMIT,
} from "./store/query.js";
export { Row, recordText } from "./store/row.js";
export type { SqlAnswer, SqlConsole, SqlQuestion, SqlValue } from "./store/sql-console.js";
export type {
  Change,
  ChangeListener,
  FindQuery,
  Found,
  Listed,
  PlatformReader,
  Position,
  QuotaClaim,
  QuotaGrant,
  Reader,
  Store,
  StoreStatus,
  Total,
  Transaction,
  Where,
  Writer,
} from "./store/store.js";
export { StoreError, type StoreErrorCode } from "./store/store-error.js";
