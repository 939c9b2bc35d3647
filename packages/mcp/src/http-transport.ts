import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import type { Egress, McpTarget } from "@reeve/core";
import type { McpCall } from "./call.js";
import { CallFailed } from "./failure.js";
import { meteredFetch } from "./metered-fetch.js";

/** Milliseconds to wait for the server's answer to the end of a session. */
const FAREWELL = 1_000;

/** An HTTP transport that only uses the egress. */
export function httpTransport(
  { transport, url }: McpTarget,
  { egress, headers }: { readonly egress: Egress; readonly headers: Readonly<Record<string, string>> },
  call: McpCall,
): Transport {
  if (url === null || !URL.canParse(url)) throw new CallFailed("misconfigured", "url");
  const target = new URL(url);
  if (transport === "sse")
    return new SSEClientTransport(target, { fetch: meteredFetch({ egress, headers, needsStream: true }, call) });
  return new StreamableHTTPClientTransport(target, {
    fetch: meteredFetch({ egress, headers, needsStream: false }, call),
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
  });
}

/** Closes a transport. A server with a session is told first. */
export async function endSession(transport: Transport): Promise<void> {
  if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FAREWELL);
    });
    // Not essential, because servers end idle sessions.
    await Promise.race([transport.terminateSession().catch(() => {}), late]);
    clearTimeout(timer);
  }
  await transport.close();
}
