import { notAllowed } from "./failure.js";

/** Headers of connection and framing. The client sets them itself and ignores the caller's. */
const OWN = new Set([
  ...["host", "connection", "keep-alive", "proxy-connection", "upgrade", "te", "trailer", "transfer-encoding"],
  ...["content-length", "expect", "accept-encoding", "proxy-authorization"],
]);

/** Headers that may follow a redirect to another origin. Any other may be a credential under any name. */
const HARMLESS = new Set(["accept", "accept-language", "user-agent"]);

const NAME = /^[!#$%&'*+.^_`|~\da-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export type Headers = Readonly<Record<string, string>>;

/**
 * The caller's headers in lower case. Throws `target_not_allowed` for names and values that could inject another
 * header.
 */
export function requestHeaders(given: Headers): Headers {
  const headers = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  if (!headers.every(([name, value]) => NAME.test(name) && VALUE.test(value))) throw notAllowed();
  return Object.fromEntries(headers.filter(([name]) => !OWN.has(name)));
}

/** The headers of a request that may be sent to another origin. */
export function harmless(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name)));
}

/** The headers of an answer by lower-case name. Repeated ones are joined by a comma. */
export function responseHeaders(raw: readonly string[]): Headers {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = "", value = ""] = [raw[index]?.toLowerCase(), raw[index + 1]];
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}
