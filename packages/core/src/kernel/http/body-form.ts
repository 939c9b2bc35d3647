import { mediaTypeOf, tooLarge } from "./body.js";
import { type ErrorCode, ReeveError } from "./errors.js";
import { DUPLICATE, type NeutralRequest, singleHeader } from "./http.js";
import type { JsonObject } from "./json-guard.js";

/** Bodies of another protocol, which an operation takes in place of JSON alone: other media types, packed, and larger. */
export interface BodyForm {
  /** The media types, in lower case. */
  readonly media: readonly string[];
  /** The most bytes: as they are sent, and as they are unpacked. */
  readonly bytes: { readonly sent: number; readonly unpacked: number };
  /** The code for another media type; `unsupported_media_type` when absent. */
  readonly otherMedia?: ErrorCode;
  /** The body as an object. 400 for bytes that are none of that media type. */
  read(bytes: Uint8Array, media: string): Promise<JsonObject>;
}

/** Reads a body of another form, and unpacks it where it is packed by gzip. 413 beyond a limit, 415 for anything else. */
export async function readForm(request: NeutralRequest, form: BodyForm): Promise<JsonObject> {
  const { sent, unpacked } = form.bytes;
  const isPacked = packedBy(request);
  const bytes = await request.body(sent);
  if (bytes === undefined) throw tooLarge(sent);
  const media = mediaTypeOf(request);
  if (!form.media.includes(media)) throw new ReeveError(form.otherMedia ?? "unsupported_media_type");
  // A host that reads bodies itself may have unpacked this one.
  return form.read(isPacked && isGzip(bytes) ? await inflated(bytes, unpacked) : bytes, media);
}

const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b;

function packedBy(request: NeutralRequest): boolean {
  const encoding = singleHeader(request, "content-encoding");
  if (encoding === undefined) return false;
  const name = encoding === DUPLICATE ? "" : encoding.toLowerCase();
  if (name === "gzip" || name === "x-gzip") return true;
  if (name === "identity") return false;
  throw new ReeveError("unsupported_media_type", "Bodies are sent as they are, or packed by gzip.");
}

/** Unpacks outside the event loop, and stops at the limit, so that a small body cannot fill the memory. */
async function inflated(bytes: Uint8Array, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream("gzip"));
    for await (const part of stream as unknown as AsyncIterable<Uint8Array>) {
      length += part.length;
      if (length > most) throw tooLarge(most);
      parts.push(part);
    }
  } catch (cause) {
    if (ReeveError.is(cause)) throw cause;
    throw new ReeveError("invalid_encoding", "The body is not packed by gzip as it says.", { cause });
  }
  return Buffer.concat(parts, length);
}
