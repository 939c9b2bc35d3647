import { type Asset, agents, type McpServer, mcpServers } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isSame } from "#kernel/records/is-same.js";
import type { Entry, LeftOut, PublishedClient } from "./fields.js";
import { formats } from "./files/index.js";
import { judgeServers } from "./judge-servers.js";
import { serverNames } from "./name-servers.js";
import { type Publication, publications } from "./schema.js";

/** What was published before a set. */
export interface Before {
  readonly latest: Publication | undefined;
  /** The earlier publication that sets are held to. Nothing beside its entries is published. */
  readonly held: Publication | undefined;
}

/** What may be used in a client at a moment, and what may not. */
export interface PublishedSet {
  readonly entries: readonly Entry[];
  readonly leftOut: readonly LeftOut[];
}

/** The newest publication of an agent in a client. */
export async function latestPublication(
  ctx: ReadContext,
  agentId: string,
  client: PublishedClient,
): Promise<Publication | undefined> {
  const order = { by: "number", direction: "desc" } as const;
  const { rows } = await ctx.db.find(publications, { where: { agentId, client }, order, size: 1 });
  return rows[0]?.value;
}

/** The publication of this number. */
export async function publicationOf(
  ctx: ReadContext,
  agentId: string,
  client: PublishedClient,
  number: number | null,
): Promise<Publication | undefined> {
  if (number === null) return undefined;
  return (await ctx.db.lookup(publications, "number", { agentId, client, number }))?.value;
}

/**
 * The MCP servers that an agent uses and that are approved for it now, as a client is told of them. While the agent
 * itself waits for approval, only what was published before stays, so that one person alone opens nothing.
 */
export async function currentSet(
  ctx: ReadContext,
  agent: Asset,
  client: PublishedClient,
  { latest, held }: Before,
): Promise<PublishedSet> {
  const record = (await ctx.db.lookup(agents, "asset", { assetId: agent.id }))?.value;
  const keys = (record?.mcpServerIds ?? []).map((assetId) => ({ assetId }));
  const servers = keys.length === 0 ? [] : await ctx.db.lookupMany(mcpServers, "asset", keys);
  const known = servers.flatMap((row) => (row ? [row.value] : []));
  const judged = await judgeServers(ctx, known, [agent.id]);
  const agentDenials = judged.denialsOf(agent.id).map((reason) => `agent:${reason}`);
  const isSettled = judged.isApproved(judged.assets.get(agent.id) ?? agent);
  const named = [...serverNames(known)].sort(([, one], [, other]) => (one < other ? -1 : 1));
  const entries: Entry[] = [];
  const leftOut: LeftOut[] = [];
  for (const [server, name] of named) {
    const entry = formats[client].entryOf(server, name);
    const before = latest?.entries.some((one) => isSame(one, entry)) ?? false;
    const reasons = [
      ...agentDenials,
      ...(isSettled || before ? [] : ["agent:not_approved"]),
      ...judged.reasonsOf(server),
      ...(entry ? [] : [unwritten(server)]),
      ...(!held || held.entries.some((one) => isSame(one, entry)) ? [] : ["taken_back"]),
    ];
    if (entry && reasons.length === 0) entries.push(entry);
    else leftOut.push({ assetId: server.assetId, name, reasons: [...new Set(reasons)] });
  }
  return { entries, leftOut };
}

const unwritten = ({ url, launch }: McpServer): string =>
  url === null && launch === null ? "launch_unknown" : "not_expressible";
