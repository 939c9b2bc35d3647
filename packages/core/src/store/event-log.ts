/**
 * An event to append, without its place in the chain. `attributes` and `data` are canonical JSON (RFC 8785), stored
 * exactly as hashed.
 */
export interface EventDraft {
  readonly id: string;
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  /** The envelope without `data`, `sequence`, `prevhash` and `eventhash`; it holds `datahash`. */
  readonly attributes: string;
  readonly data: string;
  /** SHA-256 of `attributes`, hex. The chain links these. */
  readonly recordHash: string;
  /** The streams that show this event besides the tenant's: subject, related ids and histories. */
  readonly streams: readonly string[];
}

/** An event in the chain. `data` is `null` once erased; the chain still verifies. */
export interface StoredEvent {
  readonly sequence: number;
  readonly id: string;
  readonly attributes: string;
  readonly data: string | null;
  readonly prevHash: string;
  readonly eventHash: string;
}

/** One stream of a tenant, or several, up to 16, whose events come in one order and each once. */
export type EventStreams = string | readonly string[];

/** Newest first. `before` is a sequence, itself excluded. `before` and `page` exclude each other. */
export interface EventQuery {
  readonly stream?: EventStreams;
  readonly size: number;
  readonly page?: number;
  readonly before?: number;
}

export interface EventPage {
  readonly events: readonly StoredEvent[];
  readonly total: { readonly count: number; readonly exact: boolean };
  /** The `before` of the next page; absent on the last one. */
  readonly next?: number;
}
