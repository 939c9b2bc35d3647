import { notAllowed } from "./failure.js";

/** Headers of the connection and of framing. They are the client's own; what a caller says of them is left out. */
const OWN = new Set([
  ...["host", "connection", "keep-alive", "proxy-connection", "upgrade", "te", "trailer", "transfer-encoding"],
  ...["content-length", "expect", "accept-encoding", "proxy-authorization"],
]);

/** What may follow to another origin. Not `authorization` and `cookie`, nor any other: a key can have any name. */
const HARMLESS = new Set(["accept", "accept-language", "user-agent"]);

const NAME = /^[!#$%&'*+.^_`|~\da-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export type Headers = Readonly<Record<string, string>>;

/** The caller's headers in lower case. Throws `target_not_allowed` for names and values that could hold another header. */
export function requestHeaders(given: Headers): Headers {
  const headers = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  if (!headers.every(([name, value]) => NAME.test(name) && VALUE.test(value))) throw notAllowed();
  return Object.fromEntries(headers.filter(([name]) => !OWN.has(name)));
}

/** What is left of a request's headers at another origin. */
export function harmless(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name)));
}

/** An answer's headers by lower-case name; repeated ones joined by a comma. */
export function responseHeaders(raw: readonly string[]): Headers {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = "", value = ""] = [raw[index]?.toLowerCase(), raw[index + 1]];
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}
