import type { Egress } from "./egress.js";

type JsonObject = Readonly<Record<string, unknown>>;

/** An MCP server and how to call it. Nothing in it comes from the server itself. */
export interface McpTarget {
  readonly transport: "streamable_http" | "sse" | "stdio";
  /** Absolute URL, for the transports over HTTP. */
  readonly url: string | null;
  /** Name of a command that the host has registered, for stdio. Never a command line. */
  readonly command: string | null;
  /** How the protocol version is negotiated: `auto`, only the older handshake, or exactly one version. */
  readonly protocol: "auto" | "legacy" | { readonly pin: string };
  /** Credentials of the caller, sent with every HTTP request. */
  readonly headers: Readonly<Record<string, string>>;
  /** How to fetch a token first, with the client's secret; `null` when none is needed. */
  readonly oauth: McpOAuth | null;
  /** As whom it is asked, because some servers show each client other things. As Reeve when absent. */
  readonly client?: McpClient;
  /** A modern version that the server has spoken before. It is asked in this one first. */
  readonly confirmedVersion?: string | null;
}

/** What a client may declare that it can do for a server. */
export const MCP_CLIENT_CAPABILITIES = ["roots", "sampling", "elicitation"] as const;

/** A client as a server sees it. */
export interface McpClient {
  /** `null` for the connector's own name. */
  readonly name: string | null;
  readonly capabilities: readonly (typeof MCP_CLIENT_CAPABILITIES)[number][];
}

/** A server whose tokens come from an authorization server. The host fetches them. */
export interface McpOAuth {
  readonly tenantId: string;
  readonly serverId: string;
  readonly type: "oauth_client_credentials" | "oauth_user";
  readonly clientId: string | null;
  readonly secret: string | null;
}

/** Options of one probe or scan. */
export interface McpOptions {
  /** Carries all HTTP traffic to a server. */
  readonly egress: Egress;
  /** Milliseconds for the whole call; at most 20,000, which is also the default. */
  readonly timeoutMs?: number;
  /** Ends the call, as the timeout does. */
  readonly signal?: AbortSignal;
}

/** The negotiated protocol: `modern` from revision 2026-07-28 on, `legacy` before. */
export interface McpProtocol {
  readonly negotiated: string;
  readonly era: "modern" | "legacy";
  /** As listed by the server; otherwise only the negotiated one. */
  readonly supportedVersions: readonly string[];
}

/** What a server answers to the handshake. All of it is the server's own claim. */
export interface McpProbe {
  readonly protocol: McpProtocol;
  readonly serverInfo: { readonly name: string; readonly version: string; readonly title?: string } | null;
  readonly instructions: string | null;
  readonly capabilities: JsonObject;
}

/** What every entry of a list may have beside what is its own. */
interface McpEntry {
  readonly icons?: readonly JsonObject[];
  /** What clients of one kind are told, such as to keep an argument secret, or to show a page. */
  readonly _meta?: JsonObject;
  /** Optional members that have another type than the protocol's, and were not read. */
  readonly leftOut?: readonly string[];
}

/** A tool exactly as the server describes it. Absent members stay absent. */
export interface McpTool extends McpEntry {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
  /** How it is run, such as as a task. */
  readonly execution?: JsonObject;
}

/** A prompt template as the server describes it. */
export interface McpPrompt extends McpEntry {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly JsonObject[];
}

/** A group of resources that the server describes by a URI template. */
export interface McpResourceTemplate extends McpEntry {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** A resource. Resources come and go, so approvals do not cover them. */
export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly mimeType?: string;
}

/** The parts of an offer that a server may lack. What makes one unreadable does not keep the tools from being read. */
export const MCP_OPTIONAL_PARTS = ["prompts", "resources", "resourceTemplates"] as const;

/** A part that a server says to have, and that could not be read. It is unknown, and not empty. */
export interface McpLeftOut {
  readonly part: (typeof MCP_OPTIONAL_PARTS)[number];
  /** From the vocabulary of failures, and `method_not_found`. */
  readonly reason: string;
}

/** SHA-256 of what a server was started with. What it offers may depend on it. */
export interface McpLaunch {
  /** Of the sorted names of its environment variables. Values may be secrets, and are no part of it. */
  readonly environment: string;
  readonly arguments: string;
  readonly folder: string;
}

/** All that a server offers at one moment, complete except for resources and for parts that were left out. */
export interface McpSnapshot extends McpProbe {
  readonly tools: readonly McpTool[];
  readonly prompts: readonly McpPrompt[];
  readonly resourceTemplates: readonly McpResourceTemplate[];
  readonly resources: readonly McpResource[];
  /** The server has more resources than `resources` lists. */
  readonly resourcesTruncated: boolean;
  readonly leftOut?: readonly McpLeftOut[];
  /** For servers that are started by a command. */
  readonly launch?: McpLaunch;
}

/** The failures of a probe or scan, explained for people. */
export const MCP_FAILURES = {
  timeout: "The server took too long.",
  unreachable: "The server cannot be reached, or broke off.",
  auth_required: "The server wants other credentials than it was given.",
  forbidden: "The server refuses the request, and does not say that other credentials would help.",
  protocol_error: "The server does not answer as the protocol says.",
  too_large: "The server says more than is read.",
  too_many: "The server lists more than is read.",
  misconfigured: "The server cannot be called with these settings.",
  target_not_allowed: "The server's address may not be called.",
} as const;

export type McpFailureCode = keyof typeof MCP_FAILURES;

/** A failure without text or address of the server. */
export interface McpFailure {
  readonly code: McpFailureCode;
  /** Detail from a fixed vocabulary, such as `tls`, `http_404` or `invalid_tool`. */
  readonly reason: string;
}

/** The outcome of a probe or scan. A failure never becomes an empty list. */
export type McpOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: McpFailure };

/** Limits of one scan. A server beyond them is refused, so that a snapshot is never partial. */
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
  /** Nesting levels of such an object. */
  depth: 32,
  /** Bytes read from the server in all. */
  bytes: 2_097_152,
  /** Milliseconds for the whole call. */
  wallMs: 20_000,
  /** Milliseconds to wait for an answer about the protocol version. */
  probeMs: 5_000,
} as const;

/** A call of one tool. */
export interface McpToolCall {
  readonly name: string;
  readonly args: JsonObject;
  /** Whether the tool may be called as the server describes it now. It is asked right before the call. */
  admits(tool: McpTool): boolean;
}

/** What came of a call of a tool. */
export type McpToolResult =
  /** The server has no such tool, or one that is not admitted. Nothing was called. */
  | { readonly called: false; readonly why: "missing" | "not_admitted" }
  | {
      readonly called: true;
      /** The tool itself says that it has failed. */
      readonly isError: boolean;
      readonly content: readonly JsonObject[];
      readonly structuredContent?: JsonObject;
    };

/** The outcome of a call of a tool, whether it was made or not. */
export type McpCallOutcome = McpOutcome<McpToolResult> & {
  /** The server has said until the end of the connection that what it offers has changed. Absent where it is unknown. */
  readonly listsChanged?: boolean;
};

/** A tool of Reeve's own MCP server, as clients see it. */
export interface McpOwnTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: Readonly<Record<string, boolean>>;
}

/** What a call of such a tool has given. */
export interface McpOwnResult {
  readonly isError: boolean;
  readonly structuredContent: JsonObject;
}

/** What Reeve's own MCP server offers to one caller. */
export interface McpToolbox {
  readonly name: string;
  readonly version: string;
  /** Written by nobody but the authors of Reeve. */
  readonly instructions: string;
  /** A page of tools; `undefined` for a cursor of no page. */
  list(cursor: string | undefined): { readonly tools: readonly McpOwnTool[]; readonly nextCursor?: string } | undefined;
  /** `undefined` for a tool that there is not. */
  call(name: string, args: JsonObject): Promise<McpOwnResult | undefined>;
}

/** A message of a client to Reeve's own MCP server: one JSON-RPC message, and the headers of MCP with it. */
export interface McpMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly message: JsonObject;
}

/** What is answered to a message. */
export interface McpReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Connects to MCP servers. `@reeve/mcp` provides one. It never throws and keeps no connection open after a call. */
export interface McpConnector {
  /** Does the handshake only: whether the server answers, and what it claims to be. */
  probe(target: McpTarget, options: McpOptions): Promise<McpOutcome<McpProbe>>;
  /** Does the handshake and lists everything that the server offers. */
  observe(target: McpTarget, options: McpOptions): Promise<McpOutcome<McpSnapshot>>;
  /** Looks how the server describes a tool, and calls it if that is admitted. Absent where servers are only looked at. */
  callTool?(target: McpTarget, call: McpToolCall, options: McpOptions): Promise<McpCallOutcome>;
  /**
   * Answers a message to Reeve's own MCP server, in the version of MCP that its client speaks. Keeps nothing between messages. Absent
   * where Reeve is no MCP server.
   */
  answer?(message: McpMessage, toolbox: McpToolbox): Promise<McpReply>;
}
