import type { Client } from "./client.js";

/** A signed-in person. */
export interface Person {
  readonly name: string;
  readonly userId: string;
  readonly client: Client;
}

/** The properties of an AI asset that the tour reads. */
export interface Asset {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly version: number;
  readonly governanceState: string;
  readonly relatedParty: boolean;
  readonly assetType: string;
  readonly provider: string;
  readonly environment: string;
  readonly riskScore: number;
  readonly riskFactors: { readonly key: string; readonly points: number }[];
  readonly metadata: Record<string, unknown>;
  readonly labels: Record<string, string>;
  readonly relations: { readonly type: string; readonly targetId: string }[];
}

export interface List<T> {
  readonly items: T[];
  readonly totalItems: number;
  readonly nextCursor: string | null;
}

/** A step in a history. */
export interface Step {
  readonly from: string | null;
  readonly to: string;
  readonly reason: string | null;
  readonly guards: string[];
  readonly actor: { readonly type: string; readonly id: string };
}

/** A published event: its attributes, its data, and its place in the chain. */
export interface ChainedEvent extends Record<string, unknown> {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly authid: string;
  readonly datahash: string;
  readonly data: unknown;
  readonly sequence: string;
  readonly prevhash: string;
  readonly eventhash: string;
}

/** The properties of an MCP server that the tour reads. `scan` is only in the answer to a scan. */
export interface McpServer {
  readonly id: string;
  readonly assetId: string;
  readonly serverInfo: { readonly name: string; readonly version: string } | null;
  readonly protocol: { readonly negotiated: string | null };
  readonly manifest: { readonly current: string | null; readonly state: string };
  readonly scan?: {
    readonly outcome: string;
    readonly error: { readonly code: string } | null;
    readonly changed: readonly string[];
    readonly restored: readonly string[];
  };
}

export interface Tool {
  readonly id: string;
  readonly assetId: string;
  readonly toolName: string;
  readonly toolDescription: string;
  readonly status: string;
  readonly pin: { readonly current: string };
}

/** The differences between a server and its approved state. */
export interface Drift {
  readonly manifestDigest: string;
  readonly items: {
    readonly name: string;
    readonly change: string;
    readonly severity: string;
    readonly changes: { readonly pointer: string; readonly after: string | null }[];
  }[];
  readonly warnings: { readonly message: string }[];
}

export interface Session {
  readonly id: string;
  readonly status: string;
  readonly controlEpoch: number;
  readonly enforcement: { readonly state: string };
  readonly usage: { readonly toolCalls: number; readonly costUsd: number };
}

export interface Policy {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly status: string;
}

/** An evaluation run. */
export interface Run {
  readonly id: string;
  readonly status: string;
  readonly counts: Readonly<Record<"assets" | "pairs" | "pass" | "fail" | "created" | "resolved", number>>;
}

export interface Finding {
  readonly id: string;
  readonly status: string;
  readonly fingerprint: string;
  readonly effectiveSeverity: string;
  readonly message: string;
}

export interface Exemption {
  readonly id: string;
  readonly version: number;
  readonly status: string;
}

/** The answer of the decision point to a host. */
export interface Decision {
  readonly status: string;
  readonly decision: boolean;
  readonly context: { readonly reasons: readonly Record<"policyKey" | "ruleKey" | "message", string | null>[] };
}

/** The posture of an estate against one framework. */
export interface Posture {
  readonly framework: string;
  readonly name: string;
  readonly score: number | null;
  readonly coverage: number;
  readonly nonCompliant: number;
  readonly topGaps: readonly { readonly controlId: string; readonly title: string; readonly openFindings: number }[];
}

export interface BackTest {
  readonly complete: boolean;
  readonly overAssets: { readonly moments: readonly { readonly at: string; readonly fail: number }[] };
}

export interface ConnectorInstance {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

/** An import from a connected system. */
export interface Import {
  readonly id: string;
  readonly connectorInstanceId: string;
  readonly status: string;
  readonly planHash: string | null;
  readonly counts: Readonly<Record<"create" | "unchanged", number>>;
  readonly done: number;
  readonly failure: unknown;
}

/** A line of the plan of an import. `content` is what the system says, as JSON. */
export interface ImportItem {
  readonly action: string;
  readonly assetType: string;
  readonly name: string;
  readonly content: string | null;
}

export interface SamlApp {
  readonly id: string;
  readonly name: string;
}

/** A session at an application. */
export interface AppSession {
  readonly endReason: string | null;
  readonly residualAccess: string | null;
}

/** The properties of access in a connected system that the tour reads. */
export interface AccessRequest {
  readonly id: string;
  readonly status: string;
  readonly scopeHash: string;
  readonly wouldAllow: readonly string[];
  readonly items: readonly { readonly assignmentId: string | null }[];
}

export interface AccessAssignment {
  readonly id: string;
  readonly status: string;
  readonly effective: boolean;
  readonly endReason: string | null;
}

/** Something of a connected system: a resource, or a kind of access. */
export interface Offered {
  readonly id: string;
  readonly name: string;
  readonly externalId: string;
  readonly definitionHash: string;
}

export interface AccessDrift {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly repairs: readonly string[];
}

export interface CertificationItem {
  readonly id: string;
  readonly certificationId: string;
  readonly assignmentId: string;
  readonly snapshotVersion: number;
}

/** A token for tools of an agent. `token` is in the answer that issues it only. */
export interface ToolToken {
  readonly token: string;
  readonly status: string;
  readonly findingId: string | null;
}

/** The answer of a tool. */
export interface ToolAnswer {
  readonly result?: { readonly content?: string } | null;
  readonly error?: { readonly code: string } | null;
}

/** A call with an agent's access. */
export interface AccessUse {
  readonly outcome: string;
}
