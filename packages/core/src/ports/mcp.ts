import type { Egress } from "./egress.js";

type JsonObject = Readonly<Record<string, unknown>>;

/** Where an MCP server is and what it is told. Nothing in it comes from the server itself. */
export interface McpTarget {
  readonly transport: "streamable_http" | "sse" | "stdio";
  /** Absolute URL, for the transports over HTTP. */
  readonly url: string | null;
  /** Name of a command that the host has registered, for stdio. Never a command line. */
  readonly command: string | null;
  /** How the protocol version is agreed on: by asking, the older handshake only, or exactly one version. */
  readonly protocol: "auto" | "legacy" | { readonly pin: string };
  /** Headers that show who is calling, sent with every request over HTTP. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where a token has to be fetched first: what the record says of it, and its secret. */
  readonly oauth: McpOAuth | null;
}

/** A server whose tokens an authorization server issues. How is for the host to know. */
export interface McpOAuth {
  readonly tenantId: string;
  readonly serverId: string;
  readonly type: "oauth_client_credentials" | "oauth_user";
  readonly clientId: string | null;
  readonly secret: string | null;
}

/** What one look at a server may use. */
export interface McpOptions {
  /** Every byte to a server over HTTP goes through it. */
  readonly egress: Egress;
  /** Milliseconds for everything together; 20,000 when absent and at most. */
  readonly timeoutMs?: number;
}

/** The protocol as it was agreed on: `modern` from revision 2026-07-28 on, `legacy` before. */
export interface McpProtocol {
  readonly negotiated: string;
  readonly era: "modern" | "legacy";
  /** As the server lists them; only the negotiated one where it lists none. */
  readonly supportedVersions: readonly string[];
}

/** What a server says of itself when it is greeted. All of it is the server's own claim. */
export interface McpProbe {
  readonly protocol: McpProtocol;
  readonly serverInfo: { readonly name: string; readonly version: string; readonly title?: string } | null;
  readonly instructions: string | null;
  readonly capabilities: JsonObject;
}

/** A tool exactly as the server describes it; members it left out are left out. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
}

/** A prompt template as the server describes it. */
export interface McpPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly JsonObject[];
}

/** A family of resources that the server describes by a URI template. */
export interface McpResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** One resource. Resources are data that come and go: they are shown, and no part of what is approved. */
export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly mimeType?: string;
}

/** Everything a server offers at one moment, complete except for resources. */
export interface McpSnapshot extends McpProbe {
  readonly tools: readonly McpTool[];
  readonly prompts: readonly McpPrompt[];
  readonly resourceTemplates: readonly McpResourceTemplate[];
  readonly resources: readonly McpResource[];
  /** The server has more resources than `resources` shows. */
  readonly resourcesTruncated: boolean;
}

/** How a look at a server can fail, and what that means in the words of a person. */
export const MCP_FAILURES = {
  timeout: "The server took too long.",
  unreachable: "The server cannot be reached, or broke off.",
  auth_required: "The server wants other credentials than it was given.",
  protocol_error: "The server does not answer as the protocol says.",
  too_large: "The server says more than is read.",
  too_many: "The server lists more than is read.",
  misconfigured: "The server cannot be called with these settings.",
  target_not_allowed: "The server's address may not be called.",
} as const;

export type McpFailureCode = keyof typeof MCP_FAILURES;

/** A failure as it may be shown: no text of the server, no address. */
export interface McpFailure {
  readonly code: McpFailureCode;
  /** One more word on it, of a fixed vocabulary: `tls`, `http_404`, `invalid_tool`. */
  readonly reason: string;
}

/** What came of a look: a value, or why there is none. A failure is never an empty list. */
export type McpOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: McpFailure };

/** Bounds of one look at a server. What goes beyond them is refused as a whole, so that a snapshot is never half a server. */
export const MCP_LIMITS = {
  /** Pages of one list. */
  pages: 64,
  /** Entries of one list. */
  items: 512,
  /** Bytes of a name, title or version. */
  name: 200,
  /** Bytes of a URI. */
  uri: 2_000,
  /** Bytes of a description, of the instructions or of the capabilities. */
  description: 16_384,
  /** Bytes of a schema, of annotations or of the arguments of a prompt. */
  schema: 65_536,
  /** Levels of such an object. */
  depth: 32,
  /** Bytes that are read from the server in all. */
  bytes: 2_097_152,
  /** Milliseconds for everything. */
  wallMs: 20_000,
  /** Milliseconds until the question for the protocol version counts as unanswered. */
  probeMs: 5_000,
} as const;

/** Looks at MCP servers. `@reeve/mcp` provides one; it neither throws nor keeps a connection open after it has answered. */
export interface McpConnector {
  /** Greets a server and nothing more: whether it lives, and what it says of itself. */
  probe(target: McpTarget, options: McpOptions): Promise<McpOutcome<McpProbe>>;
  /** Greets a server and lists everything it offers. */
  observe(target: McpTarget, options: McpOptions): Promise<McpOutcome<McpSnapshot>>;
}
