import { ReeveError } from "./errors.js";

/** A request as an adapter carries it in: bytes and strings, nothing interpreted. */
export interface NeutralRequest {
  readonly method: string;
  /** Path and query exactly as on the request line, with the mount prefix taken off. */
  readonly target: string;
  /** Lower-case names. A header sent more than once is an array, or joined as the host's HTTP parser joins it. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Reads the body once, when the pipeline wants it; resolves to `undefined` when it is longer than `limit` bytes. */
  readonly body: (limit: number) => Promise<Uint8Array | undefined>;
  /** The peer's address as the host knows it; used for rate limits only. */
  readonly remoteAddress?: string | undefined;
  /** The prefix the control plane is mounted under, for links in answers. */
  readonly mountPath?: string | undefined;
  /** The host has nothing under /api/v1 here, so what no operation answers there is answered with 404 or 405. */
  readonly exclusive?: boolean | undefined;
  /** The host's own request object, for its `authenticate`; nothing here looks into it. */
  readonly host?: unknown;
}

/** The response that an adapter writes unchanged. A body comes with its length. */
export interface NeutralResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** For the host's metrics; absent when no operation matched. */
  readonly operationId?: string | undefined;
}

/** One header's value, or `undefined`; a header sent twice counts as `"duplicate"` where it may be sent only once. */
export function singleHeader(request: NeutralRequest, name: string): string | undefined | "duplicate" {
  const value = request.headers[name];
  if (value === undefined || typeof value === "string") return value;
  return value.length === 1 ? value[0] : value.length === 0 ? undefined : "duplicate";
}

/** The host a request was sent to, by its own headers; what proxies add is not read. `null` when there is more than one. */
export function hostOf({ headers }: NeutralRequest): string | null | undefined {
  const host = headers[":authority"] ?? headers.host;
  if (host === undefined || typeof host === "string") return host;
  return host.length > 1 ? null : host[0];
}

/** How much of an oversized body is read and dropped, so that the client can read the answer. */
const LINGER = 4 * 1024 * 1024;

/** What `readBytes` needs of a Node stream. */
export interface ByteStream {
  readonly readableEnded: boolean;
  readonly destroyed: boolean;
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  on(event: "error", listener: (cause: Error) => void): unknown;
  off(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  off(event: "end" | "close", listener: () => void): unknown;
  off(event: "error", listener: (cause: Error) => void): unknown;
  pause(): unknown;
}

/**
 * Reads a Node stream of bytes to its end, and leaves it open so that the answer can still be sent; gives `undefined` when that
 * is more than `limit` bytes. A stream that breaks off is 400 `invalid_request`.
 */
export function readBytes(stream: ByteStream, limit: number): Promise<Uint8Array | undefined> {
  // By its events: an iterator over a stream costs more than the rest of reading a body.
  return new Promise((resolve, reject) => {
    let chunks: Uint8Array[] = [];
    let length = 0;
    const take = (chunk: Uint8Array) => {
      length += chunk.length;
      if (length > limit) chunks = [];
      else chunks.push(chunk);
      if (length <= limit + LINGER) return;
      stream.pause();
      end();
    };
    const end = () => {
      release();
      resolve(length > limit ? undefined : joined(chunks, length));
    };
    const breakOff = (cause?: Error) => {
      release();
      reject(new ReeveError("invalid_request", "The body broke off.", { cause }));
    };
    const close = () => breakOff();
    const release = () => {
      stream.off("data", take);
      stream.off("end", end);
      stream.off("error", breakOff);
      stream.off("close", close);
    };
    if (stream.readableEnded) return end();
    if (stream.destroyed) return breakOff();
    stream.on("end", end);
    stream.on("error", breakOff);
    stream.on("close", close);
    stream.on("data", take);
  });
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const all = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}
