import {
  MCP_FAILURES,
  type McpConnector,
  type McpFailureCode,
  type McpOutcome,
  type McpSnapshot,
  type McpTarget,
} from "@reeve/core";
import { ConnectorError, type ErrorClass } from "@reeve/core/connectors";
import { bearer } from "../json-api.js";
import { contextEgress } from "./context-egress.js";
import type { Server } from "./manifest.js";

/** How failures of the protocol's client are told. */
export const CLASSES: Readonly<Record<McpFailureCode, ErrorClass>> = {
  timeout: "transient",
  unreachable: "transient",
  auth_required: "auth",
  forbidden: "permission",
  protocol_error: "invalid",
  too_large: "invalid",
  too_many: "invalid",
  misconfigured: "config",
  target_not_allowed: "config",
};

/** All that the server offers now, with its tools by name. */
export async function observe(mcp: McpConnector, ctx: Server): Promise<McpSnapshot> {
  const target = await targetOf(ctx);
  if (target.transport === "stdio") await ctx.permit();
  const egress = contextEgress(ctx);
  const timeoutMs = Math.max(1, ctx.timeLeft() - FAREWELL);
  const outcome: McpOutcome<McpSnapshot> = await mcp.observe(target, { egress, timeoutMs, signal: ctx.signal });
  if (outcome.ok) return outcome.value;
  ctx.signal.throwIfAborted();
  if (egress.failure) throw egress.failure;
  const { code, reason } = outcome.failure;
  throw new ConnectorError(CLASSES[code], MCP_FAILURES[code], { code: reason });
}

/** Milliseconds that the end of a session or process may take. */
export const FAREWELL = 2_000;

/** The server of the configuration, with its credentials. */
export async function targetOf(ctx: Server): Promise<McpTarget> {
  const { transport, url, command, headerName } = ctx.config;
  const token = await ctx.secret("token");
  const stdio = transport === "stdio";
  if (stdio && (command === undefined || url !== undefined || token !== undefined))
    throw new ConnectorError("config", "A server of transport `stdio` has a `command`, and no `url` and `token`.");
  if (!stdio && (url === undefined || command !== undefined))
    throw new ConnectorError("config", "A server over HTTP has a `url`, and no `command`.");
  const named = headerName === undefined ? undefined : token;
  return {
    transport,
    url: url ?? null,
    command: command ?? null,
    protocol: "auto",
    headers: headerName !== undefined && named !== undefined ? { [headerName]: named } : bearer(token),
    oauth: null,
  };
}
