import { agents, type McpServer, mcpServers } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/** The longest name of a server in files of clients. */
const LONGEST = 40;

/**
 * The names by which clients know MCP servers: of letters, digits and single hyphens, so that every client keeps them as
 * they are. Servers whose names come to the same are told apart by the end of their ids.
 */
export function serverNames<S extends Pick<McpServer, "assetId" | "name">>(servers: readonly S[]): Map<S, string> {
  const plain = new Map(servers.map((server) => [server, plainName(server.name)]));
  const counts = new Map<string, number>();
  for (const name of plain.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    [...plain].map(([server, name]) => {
      const isAlone = name !== "" && counts.get(name) === 1;
      return [server, isAlone ? name : `${name || "server"}-${server.assetId.slice(-6).toLowerCase()}`];
    }),
  );
}

function plainName(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
  return plain
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, LONGEST)
    .replace(/-+$/, "");
}

/** The MCP servers that an agent uses, each with the name by which its client knows it. */
export async function agentServers(ctx: ReadContext, agentId: string): Promise<Map<McpServer, string>> {
  const agent = (await ctx.db.lookup(agents, "asset", { assetId: agentId }))?.value;
  const keys = (agent?.mcpServerIds ?? []).map((assetId) => ({ assetId }));
  const rows = keys.length === 0 ? [] : await ctx.db.lookupMany(mcpServers, "asset", keys);
  return serverNames(rows.flatMap((row) => (row ? [row.value] : [])));
}
