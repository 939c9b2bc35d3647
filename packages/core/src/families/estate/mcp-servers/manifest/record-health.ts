import type { EventSpec } from "#kernel/events/events.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { MCP_FAILURES, type McpFailure, type McpProbe } from "#ports/mcp.js";
import { withExpiry } from "../../records/write/to-change.js";
import { mcpConnection } from "../machine.js";
import { planChecks } from "../probe/checks.js";
import { endpointKeyOf } from "../probe/endpoint-key.js";
import { healthAfter } from "../probe/health.js";
import type { McpProbeRun } from "../probe/run-probe.js";
import { type McpServer, mcpServers } from "../schema.js";
import { isDowngrade } from "../warnings/identity-warnings.js";
import { instructionsDigest } from "./manifest.js";

/** What a probe changes on a server's record, except its connection. */
export type Finding = Partial<McpServer>;

/**
 * The server of a call, read within the transaction. 409 when its registration has changed since the call began,
 * because the result is not valid then.
 */
export async function serverOf(ctx: Context, { server: seen }: McpProbeRun): Promise<McpServer> {
  const server = await ctx.getForUpdate(mcpServers, seen.id);
  if (endpointKeyOf(server) !== endpointKeyOf(seen))
    throw new ReeveError("concurrent_modification", "The registration of the server changed during the call.");
  return withExpiry(ctx, mcpServers, server);
}

/** Stores the health of a server together with the other results of a call. Approval does not change. */
export async function recordHealth(
  ctx: Context,
  server: McpServer,
  run: McpProbeRun,
  failure: McpFailure | undefined,
  patch: Finding = {},
): Promise<McpServer> {
  const { consecutiveFailures, connection } = healthAfter(server, failure?.code, server.healthCheck.threshold);
  const health: Finding = {
    consecutiveFailures,
    lastProbeAt: run.startedAt,
    ...(failure ? {} : { lastProbeOkAt: run.startedAt }),
    lastProbeError: failure ? { code: failure.code, message: messageOf(failure) } : null,
    ...patch,
  };
  const recorded = await moved(ctx, server, connection, health);
  await planChecks(ctx, recorded, run.found.kind === "scan");
  return recorded;
}

const messageOf = ({ code, reason }: McpFailure) => `${MCP_FAILURES[code]} (${reason})`;

/** A server without scheduled probes stays `disabled` when somebody probes it. */
async function moved(ctx: Context, server: McpServer, to: McpServer["connection"], patch: Finding): Promise<McpServer> {
  if (server.connection === to || server.connection === "disabled") return note(ctx, server, patch);
  const options = { triggeredBy: "connector", reason: "It was probed.", patch } as const;
  return ctx.transition(mcpServers, mcpConnection, server, { to }, options);
}

/** Stores results that need no event of their own, because the event of the probe has them. */
function note(ctx: Context, server: McpServer, patch: Finding): Promise<McpServer> {
  return ctx.update(mcpServers, server, patch, { event: false, stamp: false });
}

/** The server's description of itself, as stored on the record. */
export function handshakeOf(
  server: McpServer,
  { protocol, serverInfo, instructions, capabilities }: McpProbe,
): Finding {
  const { negotiated, era, supportedVersions } = protocol;
  return {
    serverInfo: serverInfo ? { ...serverInfo } : null,
    capabilities: { ...capabilities },
    instructionsDigest: instructionsDigest(instructions),
    protocol: { ...server.protocol, negotiated, era, supportedVersions: [...supportedVersions] },
  };
}

/** The members of an event about a server, without its type. */
export function about(server: McpServer, facts: object, failed = false): Omit<EventSpec, "type"> {
  const { id, name, assetId } = server;
  return {
    subject: { id, type: "mcp_server", path: `/api/v1/ai/mcp-servers/${id}` },
    related: [assetId],
    outcome: failed ? "failure" : "success",
    data: { entity: { type: "mcp_server", id, name }, ...facts },
  };
}

/** Emits an event when a server that spoke the modern protocol now answers only the older handshake. */
export async function reportDowngrade(ctx: Context, before: McpServer, { protocol }: McpProbe): Promise<void> {
  if (!isDowngrade(before.protocol.era, protocol.era)) return;
  const facts = { from: before.protocol.negotiated, to: protocol.negotiated };
  await ctx.emit({ type: "mcp.protocol.downgraded", severity: "WARN", ...about(before, facts) });
}
