import { agents, type McpServer, mcpServers } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/** The longest name of a server in files of clients, without what tells it apart. */
const LONGEST = 40;

/**
 * The names by which clients know MCP servers: of letters, digits and single hyphens, so that every client keeps them as
 * they are. Servers whose names come to the same are told apart by the end of their ids, and by the whole of them where
 * somebody has given another server just that name.
 */
export function serverNames<S extends Pick<McpServer, "assetId" | "name">>(servers: readonly S[]): Map<S, string> {
  const plain = namesBy(servers, ({ name }) => plainName(name));
  const told = namesBy(servers, (server) => {
    const name = plain.of(server);
    return plain.isAlone(server) && name !== "" ? name : withEnd(name, server.assetId.slice(-END));
  });
  return new Map(
    servers.map((server) => [server, told.isAlone(server) ? told.of(server) : withEnd(WHOLE, server.assetId)]),
  );
}

/** The part of an id that tells servers apart. */
const END = 6;
/** Before a whole id. With it a name is longer than any that somebody can give. */
const WHOLE = "server-of-the-whole-id";

const withEnd = (name: string, end: string): string =>
  plainName(`${name || "server"}-${end}`, Number.POSITIVE_INFINITY);

function namesBy<S>(servers: readonly S[], nameOf: (server: S) => string) {
  const names = new Map(servers.map((server) => [server, nameOf(server)]));
  const counts = new Map<string, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const of = (server: S): string => names.get(server) ?? "";
  return { of, isAlone: (server: S): boolean => counts.get(of(server)) === 1 };
}

function plainName(name: string, longest = LONGEST): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
  return plain
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, longest)
    .replace(/-+$/, "");
}

/** The MCP servers that an agent uses, each with the name by which its client knows it. */
export async function agentServers(ctx: ReadContext, agentId: string): Promise<Map<McpServer, string>> {
  const agent = (await ctx.db.lookup(agents, "asset", { assetId: agentId }))?.value;
  const keys = (agent?.mcpServerIds ?? []).map((assetId) => ({ assetId }));
  const rows = keys.length === 0 ? [] : await ctx.db.lookupMany(mcpServers, "asset", keys);
  return serverNames(rows.flatMap((row) => (row ? [row.value] : [])));
}
