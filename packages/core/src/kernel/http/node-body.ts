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
  /** The body as it was read: bytes, or a text in UTF-8. Anything else is ignored. */
  readonly rawBody?: unknown;
}

/**
 * The bytes of the body, or an equivalent when the host has already parsed it; `undefined` when it is longer than
 * `limit`. Rejects when the host has read it and kept nothing.
 */
export async function nodeBody(request: ParsedBody, limit: number): Promise<Uint8Array | undefined> {
  if (!request.readableEnded) return readBytes(request, limit);
  const bytes = rawBytes(request) ?? bytesOf(request);
  return bytes.length > limit ? undefined : bytes;
}

function rawBytes({ rawBody }: ParsedBody): Uint8Array | undefined {
  if (typeof rawBody === "string") return Buffer.from(rawBody);
  return isBytes(rawBody) ? rawBody : undefined;
}

/** Not by `instanceof`, because test runners have several realms. */
const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";

function bytesOf({ body, headers }: ParsedBody): Uint8Array {
  if (isBytes(body)) return body;
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
