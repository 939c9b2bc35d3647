import { ReeveError } from "./errors.js";
import { formDecoded, percentDecoded } from "./form.js";

/** A parsed request target: a canonical path, and each query name with its one value. */
export interface Target {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

// Ambiguous paths match no operation: encoded separators, dots, empty segments, path parameters, control characters.
const AMBIGUOUS = /%(?:5c|00|2e)|\/\/|\/\.{1,2}(?:\/|$)|[;\\]/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** An encoded slash in a parsed path, where no other percent sign stands. Only operations that know of it match such a path. */
export const ENCODED_SLASH = "%2F";

/** Splits and decodes a raw target once. `undefined` for an ambiguous path, which matches no operation. */
export function parsePath(target: string): string | undefined {
  const mark = target.indexOf("?");
  const raw = mark < 0 ? target : target.slice(0, mark);
  if (!raw.startsWith("/") || raw.includes("#") || AMBIGUOUS.test(raw)) return undefined;
  if (!raw.includes("%")) return CONTROL.test(raw) ? undefined : raw;
  const parts = raw.split(/%2f/i).map((part) => percentDecoded(part, "path"));
  return parts.some((part) => part.includes("%") || CONTROL.test(part)) ? undefined : parts.join(ENCODED_SLASH);
}

const NO_QUERY: Readonly<Record<string, string>> = Object.freeze(Object.create(null));

/**
 * Parses the query strictly: one value per name, valid escapes, no names that reach object prototypes. With `known`, other
 * names are not looked at.
 */
export function parseQuery(target: string, known?: readonly string[]): Readonly<Record<string, string>> {
  const mark = target.indexOf("?");
  if (mark < 0) return NO_QUERY;
  const query: Record<string, string> = Object.create(null);
  for (const pair of target.slice(mark + 1).split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const rawName = equals < 0 ? pair : pair.slice(0, equals);
    if (known && !known.includes(rawName)) continue;
    const name = formDecoded(rawName, "query");
    const value = equals < 0 ? "" : formDecoded(pair.slice(equals + 1), "query");
    if (name === "__proto__" || name === "constructor" || name === "prototype") {
      throw parameterError(name, "forbidden_key", "This name is not allowed.");
    }
    if (name in query) throw parameterError(name, "invalid_parameter", "Sent more than once.");
    query[name] = value;
  }
  return query;
}

/** A refusal that names one query parameter. */
export function parameterError(
  parameter: string,
  code: "invalid_parameter" | "forbidden_key" | "invalid_encoding" | "page_window_exceeded" | "invalid_cursor",
  message: string,
): ReeveError {
  return new ReeveError(code, `Parameter "${parameter}": ${message}`, { errors: [{ parameter, code, message }] });
}
