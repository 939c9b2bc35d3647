import type { Client, Transport } from "@modelcontextprotocol/client";
import {
  MCP_LIMITS,
  type McpCallOutcome,
  type McpOAuth,
  type McpOptions,
  type McpOutcome,
  type McpTarget,
  type McpToolCall,
} from "@reeve/core";
import { type McpCall, startCall } from "./call.js";
import { connect } from "./connect.js";
import { CallFailed } from "./failure.js";
import { handshake } from "./handshake.js";
import { endSession, httpTransport } from "./http-transport.js";
import { commandOf, launchOf } from "./launch.js";
import { ProcessTransport } from "./process-transport.js";
import { runTool } from "./run-tool.js";
import type { McpConnectorSettings } from "./settings.js";
import { snapshotOf } from "./snapshot.js";

/** Does the handshake with a server. */
export function probe(settings: McpConnectorSettings, target: McpTarget, options: McpOptions) {
  return visit(settings, target, options, async (client) => handshake(client));
}

/** Does the handshake and lists what the server offers. */
export function observe(settings: McpConnectorSettings, target: McpTarget, options: McpOptions) {
  const launch = launchOf(commandOf(settings, target));
  return visit(settings, target, options, async (client, call) => ({ ...(await snapshotOf(client, call)), ...launch }));
}

/** Looks how the server describes a tool, and calls it if that is admitted. Notices count until the session has ended. */
export async function callTool(
  settings: McpConnectorSettings,
  target: McpTarget,
  wanted: McpToolCall,
  options: McpOptions,
): Promise<McpCallOutcome> {
  let changes = () => 0;
  const outcome = await visit(settings, target, options, (client, call) => {
    changes = call.changes;
    return runTool(client, call, wanted);
  });
  return { ...outcome, listsChanged: changes() > 0 };
}

async function visit<T>(
  settings: McpConnectorSettings,
  target: McpTarget,
  { egress, timeoutMs = MCP_LIMITS.wallMs, signal }: McpOptions,
  work: (client: Client, call: McpCall) => Promise<T>,
): Promise<McpOutcome<T>> {
  const call = startCall(Math.min(timeoutMs, MCP_LIMITS.wallMs), signal);
  const opened: Transport[] = [];
  try {
    const open = await openerOf(settings, target, egress, call);
    const value = await call.during(
      connect(target, call, () => {
        const transport = open();
        opened.push(transport);
        return transport;
      }).then((client) => work(client, call)),
    );
    return { ok: true, value };
  } catch (error) {
    return { ok: false, failure: call.outcome(error) };
  } finally {
    call.end();
    await Promise.allSettled(opened.map((transport) => endSession(transport)));
  }
}

async function openerOf(
  settings: McpConnectorSettings,
  target: McpTarget,
  egress: McpOptions["egress"],
  call: McpCall,
): Promise<() => Transport> {
  const { oauth } = settings;
  if (target.transport === "stdio") {
    const known = commandOf(settings, target);
    if (!known) throw new CallFailed("misconfigured", "unknown_command");
    return () => new ProcessTransport(known, call);
  }
  const headers = { ...target.headers, ...(target.oauth ? await tokenFor(target.oauth, oauth, call) : {}) };
  return () => httpTransport(target, { egress, headers }, call);
}

async function tokenFor(wanted: McpOAuth, fetchIt: McpConnectorSettings["oauth"], call: McpCall) {
  if (!fetchIt) throw new CallFailed("auth_required", "no_oauth");
  try {
    return await call.during(fetchIt(wanted));
  } catch {
    throw new CallFailed("auth_required", "oauth");
  }
}
