/**
 * An event ready to be appended: everything but its place in the chain. `attributes` and `data` are canonical JSON
 * (RFC 8785) and are stored as the very text that was hashed.
 */
export interface EventDraft {
  readonly id: string;
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  /** The envelope without `data`, `sequence`, `prevhash` and `eventhash`; it holds `datahash`. */
  readonly attributes: string;
  readonly data: string;
  /** SHA-256 of `attributes`, hex: what the chain links. */
  readonly recordHash: string;
  /** The streams this event can be read from beside the tenant's own: subject and related ids, histories. */
  readonly streams: readonly string[];
}

/** An event in its place. `data` is `null` once erased; the chain still verifies. */
export interface StoredEvent {
  readonly sequence: number;
  readonly id: string;
  readonly attributes: string;
  readonly data: string | null;
  readonly prevHash: string;
  readonly eventHash: string;
}

/** Newest first. `before` (a sequence, excluded) and `page` are exclusive. */
export interface EventQuery {
  readonly stream?: string;
  readonly size: number;
  readonly page?: number;
  readonly before?: number;
}

export interface EventPage {
  readonly events: readonly StoredEvent[];
  readonly total: { readonly count: number; readonly exact: boolean };
  /** The sequence to go on before, when there is more. */
  readonly next?: number;
}
