import { type Asset, assetLinks, assets } from "#families/estate/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import { isLive } from "./machine.js";
import { type Session, sessions } from "./schema.js";

/** The most sessions that are counted, and the most relations of one agent that are followed. */
const MOST = 1_000;
const MOST_LINKS = 500;

/** Agents and their sessions that belong to one thing. */
interface Group {
  readonly agents: Set<string | null>;
  active: number;
  suspended: number;
}

/** What runs at this moment, by team, MCP server and model. A fixed number of queries. */
export async function runningNow(ctx: ReadContext) {
  const { rows, next } = await ctx.db.find(sessions, { where: { live: true }, size: MOST });
  const live = rows.map((row) => ctx.derived(sessions, row)).filter(isLive);
  const agentIds = [...new Set(live.map(({ agentId }) => agentId))].filter((id) => id !== null && isIdOf(assets, id));
  const links = await inChunks(agentIds as string[], async (values) => [
    ...(await ctx.db.findTopPerKey(assetLinks, { field: "sourceId", values, size: MOST_LINKS })),
  ]);
  const used = new Map(links.map(([id, found]) => [id, new Set(found.map(({ value }) => value.targetId))]));
  const ids = [...agentIds, ...[...used.values()].flatMap((targets) => [...targets])] as string[];
  const known = await inChunks([...new Set(ids)], (some) => ctx.db.getMany(assets, some));
  const byId = new Map(known.map((row) => [row.id, ctx.derived(assets, row)]));
  const all = grouped(live, () => [""]);
  const teams = grouped(live, ({ agentId }) => [byId.get(agentId ?? "")?.team?.id ?? ""]);
  const names = new Map(known.map(({ value: { team } }) => [team?.id, team?.name ?? null]));
  const usedAssets = grouped(live, ({ agentId }) => [...(used.get(agentId ?? "") ?? [])]);
  const ofType = (assetType: Asset["assetType"]) =>
    ordered(usedAssets).flatMap(([id, counts]) => {
      const asset = byId.get(id);
      if (asset?.assetType !== assetType) return [];
      const { name, version, governanceState } = asset;
      return [{ id, name, assetType, version, governanceState, ...counts }];
    });
  return {
    asOf: ctx.now,
    complete: next === undefined,
    ...(ordered(all)[0]?.[1] ?? { agents: 0, active: 0, suspended: 0 }),
    teams: ordered(teams).map(([id, counts]) => ({ id: id || null, name: names.get(id) ?? null, ...counts })),
    servers: ofType("mcp_server"),
    models: ofType("model"),
  };
}

function grouped(live: readonly Session[], keysOf: (session: Session) => readonly string[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const session of live) {
    for (const key of keysOf(session)) {
      const group = groups.get(key) ?? { agents: new Set(), active: 0, suspended: 0 };
      groups.set(key, group);
      group.agents.add(session.agentId);
      group[session.status === "suspended" ? "suspended" : "active"] += 1;
    }
  }
  return groups;
}

/** Those with most sessions first. Sessions without an agent are of none. */
function ordered(groups: ReadonlyMap<string, Group>) {
  const sizeOf = ({ active, suspended }: Group) => active + suspended;
  return [...groups]
    .sort(([, a], [, b]) => sizeOf(b) - sizeOf(a))
    .map(([key, { agents, active, suspended }]) => {
      const known = [...agents].filter((id) => id !== null).length;
      return [key, { agents: known, active, suspended }] as const;
    });
}
