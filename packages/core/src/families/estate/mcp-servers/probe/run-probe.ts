import { inTime } from "#kernel/async/in-time.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { McpConnector, McpOutcome, McpProbe, McpSnapshot, McpTarget } from "#ports/mcp.js";
import { type McpServer, mcpServers } from "../schema.js";
import { openSecret } from "../server-secrets.js";
import { clientOf } from "./endpoint-key.js";

/** The result of a call, and the server as it was registered when the call began. */
export interface McpProbeRun {
  readonly server: McpServer;
  readonly startedAt: string;
  readonly found:
    | { readonly kind: "probe"; readonly outcome: McpOutcome<McpProbe> }
    | { readonly kind: "scan"; readonly outcome: McpOutcome<McpSnapshot> };
}

/** The most that a call may take whatever the connector does, in milliseconds. */
const LONGEST = 50_000;

/** 501 unless the host has provided a connector. */
export function connectorOf(env: Environment): McpConnector {
  if (!env.mcp) throw new ReeveError("not_configured", "This service cannot call MCP servers.");
  return env.mcp;
}

/** Probes or scans a server, outside of transactions. A failure of the server is an outcome, not an error. */
export async function runProbe(
  ctx: ReadContext,
  server: McpServer,
  kind: McpProbeRun["found"]["kind"],
): Promise<McpProbeRun> {
  const { env, now: startedAt } = ctx;
  const connector = connectorOf(env);
  const target = await targetOf(env, ctx.principal.tenantId, server);
  const options = { egress: env.egress };
  if (kind === "scan") {
    const outcome = await inTime(LONGEST, () => connector.observe(target, options));
    return { server, startedAt, found: { kind, outcome } };
  }
  const { timeoutMs } = server.healthCheck;
  const outcome = await inTime(LONGEST, () => connector.probe(target, { ...options, timeoutMs }));
  return { server, startedAt, found: { kind, outcome } };
}

async function targetOf(env: Environment, tenantId: string, server: McpServer): Promise<McpTarget> {
  const { id: serverId, transport, url, command, auth, protocol } = server;
  const secret = auth.secretSetAt === null ? null : ((await openSecret(env, tenantId, serverId)) ?? null);
  const { type, clientId } = auth;
  const isOAuth = type === "oauth_client_credentials" || type === "oauth_user";
  return {
    transport,
    url,
    command,
    protocol:
      protocol.pinnedVersion === null
        ? protocol.mode === "legacy"
          ? "legacy"
          : "auto"
        : { pin: protocol.pinnedVersion },
    headers: secret === null || isOAuth ? {} : headersOf(auth, secret),
    client: clientOf(server),
    // What has been confirmed is asked for again before anything is said of a downgrade.
    confirmedVersion: protocol.mode === "auto" && protocol.era === "modern" ? protocol.negotiated : null,
    oauth: isOAuth ? { tenantId, serverId, type, clientId, secret } : null,
  };
}

function headersOf({ type, headerName }: McpServer["auth"], secret: string): Record<string, string> {
  if (type === "bearer") return { authorization: `Bearer ${secret}` };
  return type === "header" && headerName !== null ? { [headerName]: secret } : {};
}

/** Running calls in this process, by tenant, server and kind. */
const underWay = defineService("estate.mcpProbes", () => new Map<string, Promise<McpProbeRun>>());

/** Probes or scans a server. Concurrent requests share one call. */
export async function runSharedProbe(
  ctx: ReadContext,
  id: string,
  kind: McpProbeRun["found"]["kind"],
): Promise<McpProbeRun> {
  connectorOf(ctx.env);
  const server = await ctx.getForUpdate(mcpServers, id);
  const running = ctx.env.use(underWay);
  const key = `${kind} ${ctx.principal.tenantId} ${id}`;
  const run = running.get(key) ?? runProbe(ctx, server, kind).finally(() => running.delete(key));
  running.set(key, run);
  return run;
}
