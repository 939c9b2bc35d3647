import { Client, type Transport } from "@modelcontextprotocol/client";
import {
  MCP_LIMITS,
  type McpOAuth,
  type McpOptions,
  type McpOutcome,
  type McpSnapshot,
  type McpTarget,
  type McpToolCall,
  type McpToolResult,
} from "@reeve/core";
import { type McpCall, startCall } from "./call.js";
import { CallFailed } from "./failure.js";
import { handshake } from "./handshake.js";
import { endSession, httpTransport } from "./http-transport.js";
import { readPrompt, readResource, readTemplate, readTool } from "./items.js";
import { distinct, listAll } from "./listing.js";
import { ProcessTransport } from "./process-transport.js";
import { runTool } from "./run-tool.js";
import type { McpConnectorSettings } from "./settings.js";

/** The client's name and version in the handshake. */
const SELF = { name: "reeve", version: "0.1.0" };

/** Does the handshake with a server. */
export function probe(settings: McpConnectorSettings, target: McpTarget, options: McpOptions) {
  return visit(settings, target, options, async (client) => handshake(client));
}

/** Does the handshake and lists what the server offers. */
export function observe(settings: McpConnectorSettings, target: McpTarget, options: McpOptions) {
  return visit(settings, target, options, snapshotOf);
}

/** Looks how the server describes a tool, and calls it if that is admitted. */
export function callTool(
  settings: McpConnectorSettings,
  target: McpTarget,
  wanted: McpToolCall,
  options: McpOptions,
): Promise<McpOutcome<McpToolResult>> {
  return visit(settings, target, options, (client, call) => runTool(client, call, wanted));
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
  { commands = {}, oauth }: McpConnectorSettings,
  target: McpTarget,
  egress: McpOptions["egress"],
  call: McpCall,
): Promise<() => Transport> {
  const { transport, command } = target;
  if (transport === "stdio") {
    const known = command !== null && Object.hasOwn(commands, command) ? commands[command] : undefined;
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

/**
 * A connected client. A process that ends when asked for its version knows only the older handshake, so it is started
 * again with that.
 */
async function connect({ protocol }: McpTarget, call: McpCall, open: () => Transport): Promise<Client> {
  const transport = open();
  try {
    return await greet(transport, protocol, call);
  } catch (error) {
    if (protocol !== "auto" || !(transport instanceof ProcessTransport && transport.ended)) throw error;
    return greet(open(), "legacy", call);
  }
}

async function greet(transport: Transport, mode: McpTarget["protocol"], call: McpCall): Promise<Client> {
  const client = new Client(SELF, {
    versionNegotiation: { mode, probe: { timeoutMs: Math.min(MCP_LIMITS.probeMs, call.left()) } },
  });
  client.onerror = (error) => {
    if (error.name === "SyntaxError" || error.name === "ZodError")
      call.fail(new CallFailed("protocol_error", "invalid_message"));
  };
  await client.connect(transport, { signal: call.signal, timeout: call.left() });
  return client;
}

async function snapshotOf(client: Client, call: McpCall): Promise<McpSnapshot> {
  const greeted = handshake(client);
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const none = { items: [], truncated: false };
  const listed = {
    tools: tools ? await listAll(client, call, { method: "tools/list", member: "tools", read: readTool }) : none,
    prompts: prompts
      ? await listAll(client, call, { method: "prompts/list", member: "prompts", read: readPrompt })
      : none,
    templates: resources
      ? await listAll(client, call, {
          method: "resources/templates/list",
          member: "resourceTemplates",
          read: readTemplate,
          optional: true,
        })
      : none,
    resources: resources
      ? await listAll(client, call, {
          method: "resources/list",
          member: "resources",
          read: readResource,
          partial: true,
          optional: true,
        })
      : none,
  };
  return {
    ...greeted,
    tools: distinct(listed.tools.items, ({ name }) => name),
    prompts: distinct(listed.prompts.items, ({ name }) => name),
    resourceTemplates: distinct(listed.templates.items, ({ uriTemplate }) => uriTemplate),
    resources: listed.resources.items,
    resourcesTruncated: listed.resources.truncated,
  };
}
