import { parse as parseContentType } from "content-type";
import { ReeveError } from "./errors.js";
import { parseForm } from "./form.js";
import { DUPLICATE, type NeutralRequest, singleHeader } from "./http.js";
import { guardJson, JSON_LIMITS, type JsonObject } from "./json-guard.js";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const FORM = "application/x-www-form-urlencoded";

/**
 * Reads and strictly decodes a JSON object body, or a form where the operation accepts forms. `undefined` for an absent
 * or empty body.
 */
export async function readBody(request: NeutralRequest, takesForms = false): Promise<JsonObject | undefined> {
  const bytes = await request.body(JSON_LIMITS.bytes);
  if (bytes === undefined) throw tooLarge(JSON_LIMITS.bytes);
  if (bytes.length === 0) return undefined;
  const media = mediaType(request, takesForms);
  const text = decodeText(bytes);
  return media === FORM ? parseForm(text) : parseObject(text);
}

export function tooLarge(limit: number): ReeveError {
  return new ReeveError("payload_too_large", `The body is larger than ${limit} bytes.`, {
    members: { limit },
    // The rest of the body may be too large to read.
    headers: { connection: "close" },
  });
}

function mediaType(request: NeutralRequest, takesForms: boolean): string {
  const encoding = singleHeader(request, "content-encoding");
  if (encoding !== undefined && (encoding === DUPLICATE || encoding.toLowerCase() !== "identity")) {
    throw new ReeveError("unsupported_media_type", "Compressed bodies are not accepted.");
  }
  const media = mediaTypeOf(request);
  if (media !== "application/json" && !/^application\/[\w.+-]+\+json$/.test(media) && !(takesForms && media === FORM))
    throw new ReeveError("unsupported_media_type");
  return media;
}

/** The media type of a body. 415 where it has none or several, or another charset than UTF-8. */
export function mediaTypeOf(request: NeutralRequest): string {
  const type = singleHeader(request, "content-type");
  // Browsers send bodies without a type across origins without asking.
  if (type === undefined) throw new ReeveError("unsupported_media_type", "The body has no Content-Type.");
  if (type === DUPLICATE) throw new ReeveError("unsupported_media_type", "The body has several Content-Types.");
  const { type: media, parameters } = parseContentType(type);
  const charset = parameters.charset?.toLowerCase();
  if (charset !== undefined && charset !== "utf-8" && charset !== "utf8")
    throw new ReeveError("unsupported_media_type");
  return media;
}

/** The text of a body, in UTF-8 without a byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw new ReeveError("invalid_encoding", "The body is not valid UTF-8.", { cause });
  }
  if (text.charCodeAt(0) === 0xfeff)
    throw new ReeveError("invalid_encoding", "The body starts with a byte order mark.");
  return text;
}

/** A JSON object in a text. 400 for anything else, and for what breaks the limits of bodies. */
export function parseObject(text: string): JsonObject {
  guardJson(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ReeveError("invalid_json", undefined, { cause });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ReeveError("invalid_json", "The body must be a JSON object.");
  }
  return value as JsonObject;
}
