import type { Answer, Hop } from "./exchange.js";
import { failed, notAllowed } from "./failure.js";
import { harmless } from "./headers.js";
import { parseTarget } from "./target.js";

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * The request that follows a redirect, or `undefined` when the answer is not one. https never redirects to http.
 * Another origin gets no header that could hold a credential; a request that must repeat its body there fails.
 */
export function followed(hop: Hop, { status, headers }: Answer): Hop | undefined {
  const { location } = headers;
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  if (!URL.canParse(location, hop.target.href)) throw failed("redirect");
  const url = new URL(location, hop.target.href);
  url.hash = "";
  const target = parseTarget(url.href);
  if (hop.target.secure && !target.secure) throw notAllowed();
  const method = methodAfter(hop.method, status);
  const body = method === hop.method ? hop.body : undefined;
  if (target.origin === hop.target.origin) return { target, method, headers: hop.headers, body };
  if (body !== undefined) throw failed("redirect");
  return { target, method, headers: harmless(hop.headers), body };
}

/** Like browsers: 303 makes every method but HEAD a GET, 301 and 302 only POST. */
function methodAfter(method: Hop["method"], status: number): Hop["method"] {
  if (status === 303) return method === "HEAD" ? "HEAD" : "GET";
  return method === "POST" && (status === 301 || status === 302) ? "GET" : method;
}
