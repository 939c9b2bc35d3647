import type { z } from "zod";
import type { Capability } from "./capabilities.js";
import type { ConnectorContext } from "./context.js";
import type { Manifest } from "./manifest.js";
import type {
  ApplyResult,
  DiscoveredAsset,
  ExternalRef,
  GrantSpec,
  ObservedCredential,
  ObservedGrant,
  ObservedProfile,
  ObservedResource,
  Principal,
  UsageEvent,
  VerifyResult,
} from "./observed.js";
import type { Page, PageRequest } from "./page.js";
import type { PrincipalLookup, PrincipalQuery } from "./principals.js";

/** One statement of a test about a connection. */
export interface CheckResult {
  /** Stays the same from test to test. */
  readonly id: string;
  readonly category: "config" | "network" | "auth" | "permission" | "rate_limit" | "schema" | "capability";
  readonly status: "pass" | "warn" | "fail" | "skip";
  /** For people, without secrets and text of the target. */
  readonly message: string;
  readonly remediation?: string;
  readonly latencyMs?: number;
  /** The capability that works only if this passes. */
  readonly capability?: Capability;
}

/** What a test has found. */
export interface ConnectionTest {
  readonly checks: readonly CheckResult[];
  /**
   * Which target answered, such as the organisation of the credentials. A change of `id` would give every external id
   * another meaning. `null` when it could not be told.
   */
  readonly target: { readonly id: string; readonly name: string } | null;
}

/** A call of a tool for an agent. */
export interface ToolCall {
  readonly tool: string;
  /** Valid against the tool's `inputSchema`. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly principal: Principal;
  readonly grants: readonly GrantSpec[];
  readonly dryRun: boolean;
}

/** How an MCP server is reached. It has a `url` or a `command`. */
export interface McpEndpoint {
  readonly url: string | null;
  readonly command: string | null;
}

export type ToolResult = (
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string }
) & {
  /** The MCP server that has said during the call that it offers other things now. It is scanned soon. */
  readonly changed?: McpEndpoint;
};

export interface ProfileQuery {
  readonly resourceType: string;
  readonly resource?: ExternalRef;
}

export interface GrantQuery {
  readonly resource?: ExternalRef;
  readonly principals?: readonly Principal[];
}

export interface CredentialQuery {
  readonly principals: readonly Principal[];
}

export interface UsageQuery {
  readonly since: Date;
  readonly until: Date;
  readonly principals?: readonly Principal[];
}

/**
 * The methods of a connector. Each is called with a context and settles soon after `ctx.signal` is aborted. It rejects
 * with `ConnectorError`; any other error counts as `transient` for reads and `outcome_unknown` for writes. A connector
 * keeps nothing in the process between calls: it may be called by another one next time.
 */
export interface ConnectorMethods<C, S> {
  /** Reads only: it creates nothing in the target. */
  testConnection(ctx: ConnectorContext<C, S>): Promise<ConnectionTest>;
  discoverAssets?(ctx: ConnectorContext<C, S>, page: PageRequest): Promise<Page<DiscoveredAsset>>;
  listResources?(ctx: ConnectorContext<C, S>, type: string, page: PageRequest): Promise<Page<ObservedResource>>;
  listAccessProfiles?(
    ctx: ConnectorContext<C, S>,
    query: ProfileQuery,
    page: PageRequest,
  ): Promise<Page<ObservedProfile>>;
  listGrants?(ctx: ConnectorContext<C, S>, query: GrantQuery, page: PageRequest): Promise<Page<ObservedGrant>>;
  /** Adds this one grant and touches no other. One that is seen to be there already is `already_applied`. */
  grant?(ctx: ConnectorContext<C, S>, spec: GrantSpec): Promise<ApplyResult>;
  /**
   * Removes this one grant and touches no other. The removal is sent also where a look does not find the grant, since a
   * target may not show it; `already_applied` is said where the target itself says, or is seen to show, that it lacks it.
   */
  revoke?(ctx: ConnectorContext<C, S>, spec: GrantSpec & { readonly externalGrantId?: string }): Promise<ApplyResult>;
  modify?(ctx: ConnectorContext<C, S>, from: GrantSpec, to: GrantSpec): Promise<ApplyResult>;
  /** Rejects when the target does not answer. `absent` means that the target has answered, and shows others. */
  verify?(ctx: ConnectorContext<C, S>, spec: GrantSpec & { readonly externalGrantId?: string }): Promise<VerifyResult>;
  /** Looks for a principal that somebody names. Rejects when the target does not answer. */
  findPrincipal?(ctx: ConnectorContext<C, S>, query: PrincipalQuery): Promise<PrincipalLookup>;
  /** What became of a write that was `accepted`. */
  pollOperation?(ctx: ConnectorContext<C, S>, externalOpRef: string): Promise<ApplyResult>;
  listUsage?(ctx: ConnectorContext<C, S>, query: UsageQuery, page: PageRequest): Promise<Page<UsageEvent>>;
  /** Lists the credentials of these principals, and of nobody else. */
  listCredentials?(
    ctx: ConnectorContext<C, S>,
    query: CredentialQuery,
    page: PageRequest,
  ): Promise<Page<ObservedCredential>>;
  executeTool?(ctx: ConnectorContext<C, S>, call: ToolCall): Promise<ToolResult>;
  endSessions?(ctx: ConnectorContext<C, S>, principal: Principal): Promise<{ readonly ended: number }>;
}

/** A connector to one kind of system. Make one with `defineConnector`. */
// biome-ignore lint/suspicious/noExplicitAny: connectors of different configurations stand in one registry
export interface Connector<C = any, S = any> extends ConnectorMethods<C, S> {
  readonly manifest: Manifest;
  /** Properties that are shown. */
  readonly configuration: z.ZodObject;
  /** Properties that are kept sealed and never shown. All are texts. */
  readonly secrets: z.ZodObject;
}
