import type { Context } from "../../../kernel/context.js";
import { defineService, type Environment } from "../../../kernel/environment.js";
import { ReeveError } from "../../../kernel/errors.js";
import type { McpConnector, McpOutcome, McpProbe, McpSnapshot, McpTarget } from "../../../ports/mcp.js";
import type { McpServer } from "./schema.js";
import { openSecret } from "./secrets.js";

/** What was found at a server, and of which server: as it was registered when the look began. */
export interface Look {
  readonly server: McpServer;
  readonly startedAt: string;
  readonly found:
    | { readonly kind: "probe"; readonly outcome: McpOutcome<McpProbe> }
    | { readonly kind: "scan"; readonly outcome: McpOutcome<McpSnapshot> };
}

/** 501 unless the host has given a connector. */
export function connectorOf(env: Environment): McpConnector {
  if (!env.mcp) throw new ReeveError("not_configured", "This service cannot look at MCP servers.");
  return env.mcp;
}

/** Looks at a server, outside of any transaction. Whatever goes wrong over there is an outcome and no error. */
export async function lookAt(ctx: Context, server: McpServer, kind: Look["found"]["kind"]): Promise<Look> {
  const { env, now: startedAt } = ctx;
  const connector = connectorOf(env);
  const target = await targetOf(env, ctx.principal.tenantId, server);
  const options = { egress: env.egress };
  if (kind === "scan") return { server, startedAt, found: { kind, outcome: await connector.observe(target, options) } };
  const { timeoutMs } = server.healthCheck;
  return { server, startedAt, found: { kind, outcome: await connector.probe(target, { ...options, timeoutMs }) } };
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
    oauth: isOAuth ? { tenantId, serverId, type, clientId, secret } : null,
  };
}

function headersOf({ type, headerName }: McpServer["auth"], secret: string): Record<string, string> {
  if (type === "bearer") return { authorization: `Bearer ${secret}` };
  return type === "header" && headerName !== null ? { [headerName]: secret } : {};
}

/** Looks under way in this process, by tenant, server and kind. */
const underWay = defineService("estate.mcpLooks", () => new Map<string, Promise<unknown>>());

/** Runs `work` unless the same is under way: whoever asks then gets what comes of that. */
export async function together<T>(env: Environment, key: string, work: () => Promise<T>): Promise<T> {
  const running = env.use(underWay);
  const other = running.get(key);
  if (other) return other as Promise<T>;
  const own = work().finally(() => running.delete(key));
  running.set(key, own);
  return own;
}

/** With which credential a server is seen: what it lists may depend on who asks. */
export function observerOf({ auth: { type, headerName, clientId } }: Pick<McpServer, "auth">): string {
  return [type, headerName?.toLowerCase() ?? clientId].filter((part) => part !== null && part !== undefined).join(":");
}

/** What a server is reached by. Found under other circumstances, a result says nothing of it. */
export function reachOf({ transport, url, command, package: source, auth, protocol }: McpServer): string {
  return JSON.stringify([transport, url, command, source, auth, protocol.mode, protocol.pinnedVersion]);
}
