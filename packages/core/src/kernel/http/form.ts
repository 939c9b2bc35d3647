import { ReeveError } from "./errors.js";
import type { JsonObject } from "./json-guard.js";

const PARAMETERS = 100;
const FORBIDDEN: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Parses an `application/x-www-form-urlencoded` body strictly: valid escapes, no repeated name. A name without a value
 * counts as absent (RFC 6749).
 */
export function parseForm(text: string): JsonObject {
  const form: JsonObject = {};
  const seen = new Set<string>();
  const pairs = text.split("&").filter((pair) => pair !== "");
  if (pairs.length > PARAMETERS) throw new ReeveError("invalid_request", `More than ${PARAMETERS} parameters.`);
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    const name = formDecoded(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? "" : formDecoded(pair.slice(equals + 1));
    if (FORBIDDEN.has(name)) throw new ReeveError("forbidden_key", `The parameter name "${name}" is not allowed.`);
    if (seen.has(name)) throw new ReeveError("invalid_request", `A parameter was sent more than once.`);
    seen.add(name);
    if (value !== "") form[name] = value;
  }
  return form;
}

/** Decodes one form-encoded name or value. 400 `invalid_encoding` for broken escapes, NUL and lone surrogates. */
export function formDecoded(text: string, holder: "form" | "query" = "form"): string {
  const value = percentDecoded(text.replaceAll("+", " "), holder);
  if (value.includes("\u0000")) throw new ReeveError("invalid_encoding", `The ${holder} holds a NUL character.`);
  if (!value.isWellFormed()) throw new ReeveError("invalid_encoding", `The ${holder} holds a lone surrogate.`);
  return value;
}

/** Decodes percent-escapes. 400 `invalid_encoding` for broken ones. */
export function percentDecoded(text: string, holder: "form" | "query" | "path"): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new ReeveError("invalid_encoding", `The ${holder} holds a broken percent-escape.`, { cause });
  }
}
