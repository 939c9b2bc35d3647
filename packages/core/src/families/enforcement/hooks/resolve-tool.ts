import { type Agent, type McpServer, mcpServers, type Tool, tools } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { serverNames } from "../publications/name-servers.js";
import type { Dialect, HookCall, McpCall } from "./speak-dialects.js";

/** The record that a call is about, as a request for a decision names it. */
export interface Called {
  readonly type: "tool" | "mcp_server";
  readonly id: string;
}

/**
 * The record behind what a client calls: a tool that the agent uses, one of an MCP server that it uses,
 * or that server itself where nobody has looked yet what it offers. `undefined` for a name that the agent has nothing of.
 */
export async function resolveTool(
  ctx: ReadContext,
  agent: Agent | undefined,
  { tool: name, mcp: told }: HookCall,
  { mcp }: Dialect,
): Promise<Called | undefined> {
  if (!agent) return undefined;
  const built = told ? undefined : await builtIn(ctx, agent.toolIds, name);
  if (built) return { type: "tool", id: built.assetId };
  const found = told
    ? await serverAt(ctx, agent.mcpServerIds, told)
    : mcp && name.startsWith(mcp.mark)
      ? await serverBehind(ctx, agent.mcpServerIds, name.slice(mcp.mark.length), mcp.between)
      : undefined;
  if (!found) return undefined;
  const { server, tool } = found;
  const record = await ctx.db.lookup(tools, "name", { serverId: server.assetId, toolName: tool });
  if (record) return { type: "tool", id: record.value.assetId };
  // Once it is known what a server offers, a name beside that is of no tool.
  return server.manifest.current === null ? { type: "mcp_server", id: server.assetId } : undefined;
}

async function builtIn(ctx: ReadContext, toolIds: readonly string[], name: string): Promise<Tool | undefined> {
  const keys = toolIds.map((assetId) => ({ assetId }));
  const rows = keys.length === 0 ? [] : await ctx.db.lookupMany(tools, "asset", keys);
  return rows.find((row) => row?.value.serverId === null && row.value.toolName === name)?.value;
}

interface Found {
  readonly server: McpServer;
  readonly tool: string;
}

async function serversOf(ctx: ReadContext, mcpServerIds: readonly string[]): Promise<McpServer[]> {
  const keys = mcpServerIds.map((assetId) => ({ assetId }));
  const rows = keys.length === 0 ? [] : await ctx.db.lookupMany(mcpServers, "asset", keys);
  return rows.flatMap((row) => (row ? [row.value] : []));
}

/** The server with the address that the client says, or with the command line: its program and every argument. */
async function serverAt(
  ctx: ReadContext,
  mcpServerIds: readonly string[],
  { tool, url, command }: McpCall,
): Promise<Found | undefined> {
  const servers = await serversOf(ctx, mcpServerIds);
  const server = servers.find((one) =>
    one.url === null
      ? one.launch !== null && command === [one.launch.command, ...one.launch.args].join(" ")
      : one.url === url,
  );
  return server && { server, tool };
}

/** The server whose published name a name of a tool begins with. A longer name is the nearer one. */
async function serverBehind(
  ctx: ReadContext,
  mcpServerIds: readonly string[],
  rest: string,
  between: string,
): Promise<Found | undefined> {
  const servers = await serversOf(ctx, mcpServerIds);
  const named = [...serverNames(servers)].filter(([, name]) => rest.startsWith(`${name}${between}`));
  const [nearest] = named.sort(([, one], [, other]) => other.length - one.length);
  if (!nearest) return undefined;
  const [server, name] = nearest;
  return { server, tool: rest.slice(name.length + between.length) };
}
