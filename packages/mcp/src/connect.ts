import { Client, type Transport } from "@modelcontextprotocol/client";
import { MCP_LIMITS, type McpTarget } from "@reeve/core";
import type { McpCall } from "./call.js";
import { CallFailed } from "./failure.js";
import { ProcessTransport } from "./process-transport.js";

/** The client's name and version in the handshake, where no other name is wanted. */
const SELF = { name: "reeve", version: "0.1.0" };
const CHANGES = [
  "notifications/tools/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
] as const;
/** The share of a call's time in which a server is asked in the version that it spoke before. */
const AGAIN = 0.6;

/**
 * A connected client. A server that has spoken a modern version is asked in that one first, with more time than a
 * negotiation has: one that starts slowly would be taken for one of the older era.
 */
export async function connect(target: McpTarget, call: McpCall, open: () => Transport): Promise<Client> {
  const { protocol, confirmedVersion } = target;
  if (protocol !== "auto" || !confirmedVersion) return negotiate(target, call, open);
  const patience = call.left() * AGAIN;
  try {
    return await greet(open(), target, { pin: confirmedVersion }, call, patience);
  } catch (error) {
    if (call.signal.aborted) throw error;
    return negotiate(target, call, open);
  }
}

/** A process that ends when asked for its version knows only the older handshake, so it is started again with that. */
async function negotiate(target: McpTarget, call: McpCall, open: () => Transport): Promise<Client> {
  const { protocol } = target;
  const transport = open();
  try {
    return await greet(transport, target, protocol, call, MCP_LIMITS.probeMs);
  } catch (error) {
    if (protocol !== "auto" || !(transport instanceof ProcessTransport && transport.ended)) throw error;
    return greet(open(), target, "legacy", call, MCP_LIMITS.probeMs);
  }
}

async function greet(
  transport: Transport,
  { client: seenAs }: McpTarget,
  mode: McpTarget["protocol"],
  call: McpCall,
  patience: number,
): Promise<Client> {
  const capabilities = seenAs?.capabilities ?? [];
  const client = new Client(
    { ...SELF, ...(seenAs?.name ? { name: seenAs.name } : {}) },
    {
      versionNegotiation: { mode, probe: { timeoutMs: Math.max(1, Math.min(patience, call.left())) } },
      // What is declared is answered with nothing: no folder, no text of a model, no word of a person.
      capabilities: Object.fromEntries(capabilities.map((name) => [name, {}])),
    },
  );
  if (capabilities.includes("roots")) client.setRequestHandler("roots/list", () => ({ roots: [] }));
  if (capabilities.includes("elicitation"))
    client.setRequestHandler("elicitation/create", () => ({ action: "decline" as const }));
  for (const method of CHANGES) client.setNotificationHandler(method, () => call.changed());
  client.onerror = (error) => {
    if (error.name === "SyntaxError" || error.name === "ZodError")
      call.fail(new CallFailed("protocol_error", "invalid_message"));
  };
  await client.connect(transport, { signal: call.signal, timeout: call.left() });
  return client;
}
