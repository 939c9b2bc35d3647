import { type ByteStream, readBytes } from "./http.js";

/** A request of Node with what body parsers of Connect and Express add. */
export interface ParsedBody extends ByteStream {
  readonly headers: {
    readonly "content-type"?: string | undefined;
    readonly "content-length"?: string | undefined;
    readonly "transfer-encoding"?: string | undefined;
  };
  /** Set by a body parser of the host. */
  readonly body?: unknown;
  readonly rawBody?: Uint8Array;
}

/**
 * The bytes of the body, or an equivalent when the host has already parsed it; `undefined` when it is longer than
 * `limit`. Rejects when the host has read it and kept nothing.
 */
export async function nodeBody(request: ParsedBody, limit: number): Promise<Uint8Array | undefined> {
  if (!request.readableEnded) return readBytes(request, limit);
  const bytes = request.rawBody ?? bytesOf(request);
  return bytes.length > limit ? undefined : bytes;
}

function bytesOf({ body, headers }: ParsedBody): Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (body !== undefined) return Buffer.from(typeof body === "string" ? body : encoded(body, headers["content-type"]));
  if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0)
    return new Uint8Array();
  throw new Error(
    "The host has read the body and kept nothing of it: mount the control plane before what reads bodies.",
  );
}

/** A parsed form is encoded as a form again, to match its media type. */
function encoded(body: unknown, type = ""): string {
  if (!type.toLowerCase().startsWith("application/x-www-form-urlencoded")) return JSON.stringify(body);
  return new URLSearchParams(body as Record<string, string>).toString();
}
