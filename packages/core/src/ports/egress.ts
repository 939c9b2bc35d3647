/** One outgoing call. `url` is absolute. */
export interface EgressRequest {
  readonly url: string;
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Milliseconds for the whole call: names, connection, redirects and body. 10,000 when absent. */
  readonly timeoutMs?: number;
  /** Maximum bytes of the answer's body. 1 MiB when absent. */
  readonly maxBytes?: number;
  /** How many redirects are followed, 0 to 3. Absent means none: the 3xx is the answer. */
  readonly redirects?: number;
}

/** An answer with a status from 200 to 599. Header names are in lower case. Repeated headers are joined by a comma. */
export interface EgressResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Makes all calls to the outside. Rejects with `ReeveError`: `target_not_allowed` for a refused target,
 * `connector_error` or `connector_timeout` for a failed call. No error quotes the target's answer or address.
 */
export interface Egress {
  request(request: EgressRequest): Promise<EgressResponse>;
}

/** An outgoing call whose answer is read as it arrives. */
export interface EgressStreamRequest extends EgressRequest {
  /**
   * Milliseconds from the call to the end of the body; `timeoutMs` then limits the headers only. `timeoutMs` when
   * absent.
   */
  readonly lifetimeMs?: number;
  /** Ends the call, even while the body is read. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** An answer whose body is still to come. Read the body to its end or cancel it; otherwise the lifetime ends it. */
export interface EgressStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The URL of the answer, after redirects. */
  readonly url: string;
  readonly redirected: boolean;
  readonly body: ReadableStream<Uint8Array>;
}

/** An egress that can also stream the body, within the same limits. */
export interface StreamingEgress extends Egress {
  stream(request: EgressStreamRequest): Promise<EgressStream>;
}

/** Where a client library may open a connection of its own. */
export interface PermittedAddress {
  /** The address to connect to, instead of the name. */
  readonly address: string;
  readonly port: number;
  /** The name that was asked for, to check certificates against. */
  readonly serverName: string;
}

/** An egress that also checks targets of other protocols than HTTP. Only what the deployment allows is permitted. */
export interface ConnectingEgress extends StreamingEgress {
  /** Rejects with `target_not_allowed`, or with `connector_error` when the name does not resolve. */
  address(host: string, port: number, signal: AbortSignal): Promise<PermittedAddress>;
}
