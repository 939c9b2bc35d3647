import type { Egress, EgressRequest, EgressStream, EgressStreamRequest, StreamingEgress } from "../ports/egress.js";
import { failed } from "./failure.js";

/** Limits of each call through a `guardedFetch`; the egress's own when absent. */
export type FetchLimits = Pick<EgressStreamRequest, "timeoutMs" | "lifetimeMs" | "maxBytes" | "redirects">;

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]);
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * A `fetch` for libraries that take one, over an egress and within `limits`. The body streams if the egress can, and is
 * buffered otherwise. Redirects are followed up to `limits.redirects`. Refusals are `ReeveError`.
 */
export function guardedFetch(egress: Egress, limits: FetchLimits = {}): typeof fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    // Only normalises the members of `init`. The egress gets the URL unchanged.
    const request = input instanceof Request ? new Request(input, init) : new Request("https://url.invalid/", init);
    const answer = await streamOf(egress, {
      ...limits,
      url,
      method: methodOf(request.method),
      headers: Object.fromEntries(request.headers),
      ...(request.body ? { body: new Uint8Array(await request.arrayBuffer()) } : {}),
      redirects: request.redirect === "follow" ? (limits.redirects ?? 0) : 0,
      signal: request.signal,
    });
    if (request.redirect === "error" && answer.status >= 300 && answer.status < 400 && answer.headers.location) {
      await answer.body.cancel();
      throw failed("redirect");
    }
    return responseOf(request.method, answer);
  };
}

function methodOf(method: string): NonNullable<EgressRequest["method"]> {
  if (METHODS.has(method)) return method as NonNullable<EgressRequest["method"]>;
  throw new TypeError("Only GET, POST, PUT, PATCH, DELETE and HEAD go out.");
}

async function streamOf(egress: Egress, request: EgressStreamRequest): Promise<EgressStream> {
  if ("stream" in egress) return (egress as StreamingEgress).stream(request);
  const { signal, lifetimeMs, ...plain } = request;
  signal?.throwIfAborted();
  const { status, headers, body } = await egress.request(plain);
  return { status, headers, url: request.url, redirected: false, body: new Blob([body]).stream() };
}

async function responseOf(method: string, { status, headers, url, redirected, body }: EgressStream): Promise<Response> {
  const none = method === "HEAD" || WITHOUT_BODY.has(status);
  if (none) await body.cancel();
  const response = new Response(none ? null : body, { status, headers });
  return Object.defineProperties(response, { url: { value: url }, redirected: { value: redirected } });
}
