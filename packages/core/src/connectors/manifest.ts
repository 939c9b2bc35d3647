import type { Capability } from "./capabilities.js";
import type { PrincipalType } from "./observed.js";

export type JsonSchema = Readonly<Record<string, unknown>>;

export const CATEGORIES = ["agent_platform", "code", "data", "directory", "identity", "mcp", "model", "other"] as const;
export type Category = (typeof CATEGORIES)[number];

/** A type of thing that access is granted to. */
export interface ResourceType {
  readonly type: string;
  readonly displayName: string;
  readonly parentType?: string;
  /** Whether its external id stays when the thing is renamed. */
  readonly idStability: "immutable" | "renamable";
  /** Whether every resource of the type has the same profiles. */
  readonly profileSource: "static" | "per_resource";
  readonly grantableTo: readonly PrincipalType[];
  /** Parameters of a grant, as JSON Schema. */
  readonly parametersSchema?: JsonSchema;
}

/** A tool that agents run through the connector. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly effect: "read" | "write" | "destructive";
  readonly idempotent: boolean;
  /** External ids of profiles, one of which the caller must have. */
  readonly requiresProfiles: readonly string[];
  readonly supportsDryRun?: boolean;
}

/** A right that the credentials need in the target. */
export interface RequiredPermission {
  readonly capability: Capability;
  /** As the target names it. */
  readonly permission: string;
  readonly why: string;
}

/** What a connector says about itself. All of it is shown to those who choose and set up connectors. */
export interface Manifest {
  /** Lower-case letters, digits and dashes. It never changes. */
  readonly providerKey: string;
  /** The version of this interface. */
  readonly interfaceVersion: 1;
  /** Semantic version of the connector. */
  readonly version: string;
  readonly displayName: string;
  readonly category: Category;
  readonly description: string;
  readonly docsUrl?: string;
  /** Exactly what the connector implements. */
  readonly capabilities: readonly Capability[];
  readonly resourceTypes?: readonly ResourceType[];
  readonly tools?: readonly ToolSpec[];
  /** Hosts that it calls besides those of the configuration, such as `api.example.com` or `*.example.com`. */
  readonly egressHosts?: readonly string[];
  readonly requiredPermissions?: readonly RequiredPermission[];
  /**
   * Names of configuration properties that decide who gets the secrets. A change of one takes the secrets again.
   * Addresses are known by their format, and by names such as `host`.
   */
  readonly targetProperties?: readonly string[];
  /** What it cannot do, in sentences for the reference. */
  readonly limitations?: readonly string[];
  readonly limits?: {
    /** Calls of one instance at a time; 4 when absent. */
    readonly concurrency?: number;
    /** Seconds that one call may take, 1 to 60; 10 when absent. */
    readonly callSeconds?: number;
    /** Seconds until the target's listings show a change. */
    readonly propagationSeconds?: number;
  };
  /** Whether the target ends access by itself at `expiresAt`. */
  readonly expiry?: "native" | "managed";
  readonly usage?: {
    readonly granularity: "profile" | "resource" | "identity";
    readonly lagSeconds?: number;
    readonly retentionDays?: number;
  };
}
