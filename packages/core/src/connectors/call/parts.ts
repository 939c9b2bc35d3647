import type { Egress } from "#ports/egress.js";
import type { Logger } from "#ports/logger.js";
import type { Capability } from "../capabilities.js";
import type { ConnectorState } from "../context.js";

type Texts = Readonly<Record<string, string>>;

/** Where the secrets of an instance are kept. */
export interface SecretSource {
  /** All of them, with a version that rises with each change. */
  read(): Promise<{ readonly values: Texts; readonly version: number }>;
  /** Stores `patch` over what has this version. Rejects with `ConnectorError` of class `conflict` where it has not. */
  replace(patch: Texts, version: number): Promise<void>;
  /** Runs `work` in one process at a time for this instance. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

/** What calls of one instance have in common. */
export interface InstanceParts {
  readonly tenantId: string;
  readonly instanceId: string | null;
  readonly config: Readonly<Record<string, unknown>>;
  readonly secrets: SecretSource;
  readonly state: ConnectorState;
  readonly egress: Egress;
  readonly logger: Logger;
  /** Called before each call to the outside. Rejects where nothing may go out. */
  admit(): Promise<void>;
}

/** What one call is about. */
export interface CallFacts {
  readonly capability: Capability;
  readonly correlationId: string;
  readonly idempotencyKey: string;
  /** From 1, which is the default. */
  readonly attempt?: number;
  /** Of a caller who may leave. */
  readonly signal?: AbortSignal;
}
