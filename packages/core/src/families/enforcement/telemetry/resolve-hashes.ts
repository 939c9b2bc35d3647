import { tools } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { sha256 } from "#store/chain.js";
import type { Installation } from "../installations/schema.js";
import { agentServers } from "../publications/name-servers.js";
import type { Use } from "./read/uses.js";

const HASHED = /^[0-9a-f]{64}$/;
const JOINED = /^[0-9a-f]{64}\/[0-9a-f]{64}$/;
/** Tools of a server that are compared. */
const MOST_TOOLS = 500;
/** How much of a hash is shown where nothing here has that name. */
const SHOWN = 12;

/** Marks the beginning of a hash in place of a name. */
export const UNKNOWN_HASH = "sha256:";

/**
 * Calls with names in place of their SHA-256, which GitHub Copilot sends. The names are those of the servers that the agent
 * uses here, and of their tools.
 */
export async function withPlainNames(
  ctx: ReadContext,
  { agentId }: Installation,
  uses: readonly Use[],
): Promise<readonly Use[]> {
  if (!uses.some(({ server, tool }) => HASHED.test(server ?? "") || JOINED.test(tool ?? ""))) return uses;
  const servers = await agentServers(ctx, agentId);
  const ids = [...servers.keys()].map(({ assetId }) => assetId);
  const offered =
    ids.length === 0
      ? []
      : [...(await ctx.db.findTopPerKey(tools, { field: "serverId", values: ids, size: MOST_TOOLS }))];
  const names = new Map([...servers.values()].map((name) => [sha256(name), name]));
  for (const [, rows] of offered)
    for (const { value } of rows) if (value.toolName !== null) names.set(sha256(value.toolName), value.toolName);
  const plain = (hash: string) => names.get(hash) ?? UNKNOWN_HASH + hash.slice(0, SHOWN);
  return uses.map((use) => {
    const [ofServer = "", ofTool] = JOINED.test(use.tool ?? "") ? (use.tool ?? "").split("/") : [];
    const server = HASHED.test(use.server ?? "") ? (use.server ?? "") : ofServer;
    return {
      ...use,
      tool: ofTool === undefined ? use.tool : plain(ofTool),
      server: server === "" ? use.server : plain(server),
    };
  });
}
