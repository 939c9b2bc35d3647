/** One outgoing call. `url` is absolute; other members have the defaults of the client. */
export interface EgressRequest {
  readonly url: string;
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Milliseconds for everything together: names, connection, redirects and body. 10,000 when absent. */
  readonly timeoutMs?: number;
  /** Most bytes of the answer's body. 1 MiB when absent. */
  readonly maxBytes?: number;
  /** How many redirects are followed, 0 to 3. None when absent: the 3xx is the answer. */
  readonly redirects?: number;
}

/** An answer of any status from 200 to 599. Header names are in lower case; repeated ones are joined by a comma. */
export interface EgressResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * All calls to the outside go through it. Rejects with `ReeveError`: `target_not_allowed` when the target is refused,
 * `connector_error` or `connector_timeout` when it fails. No refusal quotes what the target said or where it is.
 */
export interface Egress {
  request(request: EgressRequest): Promise<EgressResponse>;
}

/** An outgoing call whose answer is read while it arrives. */
export interface EgressStreamRequest extends EgressRequest {
  /** Milliseconds until the body must have ended, counted from the call; `timeoutMs` when absent, which then ends at the headers. */
  readonly lifetimeMs?: number;
  /** Ends the call, before or while the body is read; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The start of an answer. The body must be read to its end or cancelled; the lifetime ends it otherwise. */
export interface EgressStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly redirected: boolean;
  readonly body: ReadableStream<Uint8Array>;
}

/** An egress that can also hand over the body while it arrives, within the same limits. */
export interface StreamingEgress extends Egress {
  stream(request: EgressStreamRequest): Promise<EgressStream>;
}
