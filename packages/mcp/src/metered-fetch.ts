import { type Egress, guardedFetch, MCP_LIMITS } from "@reeve/core";
import type { McpCall } from "./call.js";
import { CallFailed, ofRefusal, ofStatus } from "./failure.js";

/** What every HTTP request of a call needs. `needsStream`: the client opens an event stream by GET. */
interface Channel {
  readonly egress: Egress;
  readonly headers: Readonly<Record<string, string>>;
  readonly needsStream: boolean;
}

/**
 * The `fetch` of one call, through the egress and within the call's limits. It reports failures to the call itself,
 * because the client turns them into texts or retries.
 */
export function meteredFetch({ egress, headers, needsStream }: Channel, call: McpCall): typeof fetch {
  return async (input, init) => {
    const time = call.left();
    const guarded = guardedFetch(egress, { timeoutMs: time, lifetimeMs: time, maxBytes: MCP_LIMITS.bytes });
    const sent = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    const signal = init?.signal ? AbortSignal.any([init.signal, call.signal]) : call.signal;
    const { method = "GET" } = init ?? {};
    // In streamable HTTP, the event stream and the end of a session are optional.
    const counts = method === "POST" || (needsStream && method === "GET");
    try {
      const response = await guarded(input, { ...init, headers: sent, redirect: "manual", signal });
      if (counts) await judge(response, String(input), call);
      signal.throwIfAborted();
      return response.body ? metered(response, response.body, call, counts) : response;
    } catch (error) {
      if (counts && !signal.aborted) call.fail(error);
      throw error;
    }
  };
}

/** Statuses that refuse a request whatever its body says. 421 is of servers that want another host. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 421]);
/** Bytes of a refusal that are looked at. */
const LOOKED_AT = 4_096;

/**
 * Fails the call for an answer without a possible continuation. The client itself follows redirects within an origin.
 */
async function judge(response: Response, url: string, call: McpCall): Promise<void> {
  const { status, headers } = response;
  call.answered(status);
  const location = headers.get("location") ?? "";
  const leads = status >= 300 && status < 400 && URL.canParse(location, url);
  const away = leads && new URL(location, url).origin !== new URL(url).origin;
  if (!REFUSALS.has(status) && !away) return;
  const { code, reason } = away
    ? ofStatus(status)
    : ofRefusal(status, headers.get("www-authenticate"), await beginningOf(response, call));
  call.fail(new CallFailed(code, reason));
}

async function beginningOf({ body }: Response, call: McpCall): Promise<string> {
  const reader = body?.getReader();
  let text = Buffer.alloc(0);
  try {
    while (reader && text.length < LOOKED_AT) {
      const { done, value } = await call.during(reader.read());
      if (done) break;
      text = Buffer.concat([text, value]);
    }
  } catch {
    // What came before it broke off is looked at.
  }
  await reader?.cancel().catch(() => {});
  return text.subarray(0, LOOKED_AT).toString();
}

/** The same answer with its body counted. The call learns of a body that breaks off or is too large. */
function metered(response: Response, body: ReadableStream<Uint8Array>, call: McpCall, counts: boolean): Response {
  const reader = body.getReader();
  const counted = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        call.read(value.byteLength);
        controller.enqueue(value);
      } catch (error) {
        if (counts && !call.signal.aborted) call.fail(error);
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers, url } = response;
  return Object.defineProperty(new Response(counted, { status, statusText, headers }), "url", { value: url });
}
