import type { Logger } from "../ports/logger.js";

/** What a connector remembers between calls, in every process. Keys are at most 200 characters, values 64 KiB of JSON. */
export interface ConnectorState {
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
  /** Forgets a key, which then counts no more among those of the instance, of which there are 1,000 at most. */
  delete(key: string): Promise<void>;
}

/** A host and port that a client library may connect to. */
export interface CheckedAddress {
  /** The address that was resolved and permitted. Connect to it and not to the name. */
  readonly address: string;
  readonly port: number;
  /** The name that was asked for, to check certificates against. */
  readonly serverName: string;
}

/** One call's only door to the outside. It is made for the call, and useless after it. */
export interface ConnectorContext<C = Readonly<Record<string, unknown>>, S = Readonly<Record<string, string>>> {
  readonly tenantId: string;
  /** `null` for a test of a configuration that is not stored. */
  readonly instanceId: string | null;
  /** As the schema has parsed it, without secrets. */
  readonly config: C;
  /** A secret in plain text. Rejects with `ConnectorError` of class `config` when it cannot be opened. */
  secret<K extends keyof S & string>(name: K): Promise<S[K]>;
  /**
   * Replaces secrets that the target rotates. One process at a time refreshes those of an instance: where another one
   * has done it since `stale` was read, `refresh` is not called and its result is returned. Secrets that `refresh`
   * leaves out stay.
   */
  refreshSecrets(stale: Partial<S>, refresh: (current: S) => Promise<Partial<S>>): Promise<S>;
  /** Aborted at the deadline, and when the caller has gone. */
  readonly signal: AbortSignal;
  /** Milliseconds until the deadline; 0 once the call has ended. */
  timeLeft(): number;
  /**
   * Checks every target and redirect, gives up at the deadline, and reads at most 8 MiB of an answer. Rejects with
   * `ConnectorError`.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Checks a target for libraries that open connections themselves. Rejects with `ConnectorError`. */
  address(host: string, port: number): Promise<CheckedAddress>;
  /** For what leaves another way, such as a process that is started. Rejects where nothing may go out. */
  permit(): Promise<void>;
  /** The same for every attempt of one write. */
  readonly idempotencyKey: string;
  /** From 1. */
  readonly attempt: number;
  /** Names the request or job in logs of both sides. */
  readonly correlationId: string;
  /** Drops what equals a secret of the instance. */
  readonly logger: Logger;
  readonly state: ConnectorState;
}
