export { callConnector } from "./call/call.js";
export type { CallFacts, InstanceParts, SecretSource } from "./call/parts.js";
export { LISTING, type ListedPage, type ListingStart, NO_TRAIL, type Trail, walk } from "./call/walk.js";
export { CAPABILITIES, type Capability, type CapabilityMethod, WRITES } from "./capabilities.js";
export { mistakesOf } from "./check.js";
export type {
  CheckResult,
  ConnectionTest,
  Connector,
  ConnectorMethods,
  CredentialQuery,
  GrantQuery,
  McpEndpoint,
  ProfileQuery,
  ToolCall,
  ToolResult,
  UsageQuery,
} from "./connector.js";
export type { CheckedAddress, ConnectorContext, ConnectorState } from "./context.js";
export { type ConnectorSpec, defineConnector } from "./define.js";
export { ConnectorError, type ConnectorErrorOptions, ERROR_CLASSES, type ErrorClass, MISCONFIGURED } from "./error.js";
export {
  CATEGORIES,
  type Category,
  type JsonSchema,
  type Manifest,
  type RequiredPermission,
  type ResourceType,
  type ToolSpec,
} from "./manifest.js";
export {
  type ApplyResult,
  CREDENTIAL_TYPES,
  type CredentialType,
  type DiscoveredAsset,
  type ExternalRef,
  type Find,
  type GrantSpec,
  type ObservedCredential,
  type ObservedGrant,
  type ObservedProfile,
  type ObservedResource,
  PRINCIPAL_TYPES,
  type Principal,
  type PrincipalType,
  type PrivilegeLevel,
  type UsageEvent,
  type VerifyResult,
} from "./observed.js";
export { type LeftOutPart, type Page, type PageRequest, pageOf, type RejectedItem } from "./page.js";
export type { PrincipalLookup, PrincipalQuery } from "./principals.js";
export { type PublishedManifest, publishedManifest, publishedSchema, targetProperties } from "./publish.js";
export { errorOfStatus, expectOk } from "./response.js";
export { type Link, nextLink, readLinks } from "./whole/links.js";
export {
  type LastPage,
  type ListingEnd,
  listingEnd,
  notWhole,
  WHOLE,
  wholeUnless,
} from "./whole/listing-end.js";
export { INCOMPLETE, INCOMPLETE_REASONS, type IncompleteReason } from "./whole/reasons.js";
