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
}

/** What an adapter writes out as it is. */
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

/**
 * Reads a byte stream to its end and gives `undefined` as soon as it exceeds `limit` bytes. Of a Node stream pass
 * `stream.iterator({ destroyOnReturn: false })`, so that the answer can still be sent.
 */
export async function readBytes(stream: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  if (chunks.length === 1) return chunks[0];
  const all = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}
