import type { Egress } from "@reeve/core";
import type { CustomFetch } from "openid-client";
import { Unreachable } from "./refusals.js";

/** How long one call may take, in milliseconds. */
const TIMEOUT = 5_000;
/** The longest answer, in bytes. */
const MAX_BYTES = 262_144;
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);

/** The guarded egress in the form of `fetch`. No redirect is followed. */
export function egressFetch(egress: Egress): CustomFetch {
  return async (url, { method, headers, body }) => {
    const answer = await egress
      .request({
        url,
        method: method as "GET" | "POST",
        headers,
        ...(body === undefined || body === null ? {} : { body: String(body) }),
        timeoutMs: TIMEOUT,
        maxBytes: MAX_BYTES,
      })
      .catch((error: unknown) => {
        throw new Unreachable(error instanceof Error ? error.message : "the call failed");
      });
    if (answer.status >= 500) throw new Unreachable(`the provider answered ${answer.status}`);
    const bytes = EMPTY.has(answer.status) ? null : Uint8Array.from(answer.body);
    return new Response(bytes, { status: answer.status, headers: answer.headers });
  };
}
