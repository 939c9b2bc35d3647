import { LIMITS } from "../../../cel/limits.js";
import type { Collection, StoredRecord } from "../../../kernel/collection.js";
import type { ReadContext } from "../../../kernel/read-context.js";
import { SIZE_LIMIT } from "../../../store/query.js";
import type { Row } from "../../../store/row.js";
import { type Agent, type Asset, assetLinks, assets, models, type Tool, tools } from "../../estate/index.js";
import { type AgentSurroundings, modelInUse } from "./spec-values.js";

/** One more than expressions go through: a list of that length tells them that it is too long. */
const MOST = LIMITS.listItems + 1;

/** The values of a list in parts that one question may name. */
function parts<T>(values: Iterable<T>): T[][] {
  const all = [...new Set(values)];
  const count = Math.ceil(all.length / SIZE_LIMIT);
  return Array.from({ length: count }, (_, at) => all.slice(at * SIZE_LIMIT, (at + 1) * SIZE_LIMIT));
}

/** The records of typed collections by the ids of their assets. */
export async function recordsOf<R extends StoredRecord>(
  ctx: ReadContext,
  collection: Collection<R>,
  assetIds: Iterable<string>,
): Promise<Map<string, R>> {
  const found = new Map<string, R>();
  for (const ids of parts(assetIds)) {
    const keys = ids.map((assetId) => ({ assetId }));
    const rows = await ctx.db.lookupMany(collection, "asset", keys);
    for (const [at, row] of rows.entries()) if (row) found.set(ids[at] as string, ctx.derived(collection, row));
  }
  return found;
}

/** Assets by their ids, as they are seen now. */
export async function assetsOf(ctx: ReadContext, assetIds: Iterable<string>): Promise<Map<string, Asset>> {
  const found = new Map<string, Asset>();
  for (const ids of parts(assetIds)) {
    for (const row of await ctx.db.getMany(assets, ids)) found.set(row.id, ctx.derived(assets, row));
  }
  return found;
}

async function each<R extends StoredRecord>(
  ctx: ReadContext,
  collection: Collection<R>,
  field: string,
  values: Iterable<string>,
): Promise<Map<string, Row<R>[]>> {
  const found = new Map<string, Row<R>[]>();
  for (const some of parts(values)) {
    const rows = await ctx.db.findEach(collection, { field, values: some, size: MOST });
    for (const [value, its] of rows) found.set(value, its);
  }
  return found;
}

/** The tools that MCP servers expose, by the ids of the servers. */
export async function toolsOf(ctx: ReadContext, serverIds: Iterable<string>): Promise<Map<string, Tool[]>> {
  const found = await each(ctx, tools, "serverId", serverIds);
  return new Map([...found].map(([id, rows]) => [id, rows.map(({ value }) => value)]));
}

/** The agents that run as each of these identities, each once. */
export async function runnersOf(ctx: ReadContext, identityIds: Iterable<string>): Promise<Map<string, Set<string>>> {
  const found = await each(ctx, assetLinks, "runsAsId", identityIds);
  return new Map([...found].map(([id, rows]) => [id, new Set(rows.map(({ value }) => value.sourceId))]));
}

/** What stands around each of these agents, by the ids of their assets. */
export async function surroundingsOf(
  ctx: ReadContext,
  agents: ReadonlyMap<string, Agent>,
): Promise<Map<string, AgentSurroundings>> {
  const named = [...agents.values()];
  const modelIds = named.flatMap((agent) => agent.modelIds);
  const [modelAssets, modelRecords, toolRecords, serverTools, runsAs] = await Promise.all([
    assetsOf(ctx, modelIds),
    recordsOf(ctx, models, modelIds),
    recordsOf(
      ctx,
      tools,
      named.flatMap((agent) => agent.toolIds),
    ),
    toolsOf(
      ctx,
      named.flatMap((agent) => agent.mcpServerIds),
    ),
    each(ctx, assetLinks, "runnerId", agents.keys()),
  ]);
  const identitiesOf = (assetId: string) => [
    ...new Set((runsAs.get(assetId) ?? []).map(({ value }) => value.targetId)),
  ];
  const runners = await runnersOf(ctx, [...agents.keys()].flatMap(identitiesOf));
  const around = (assetId: string, agent: Agent): AgentSurroundings => {
    const identityIds = identitiesOf(assetId);
    const own = agent.toolIds.flatMap((id) => toolRecords.get(id) ?? []);
    const exposed = agent.mcpServerIds.flatMap((id) => serverTools.get(id) ?? []);
    return {
      hasIdentity: identityIds.length > 0,
      identityShared: identityIds.some((id) => (runners.get(id)?.size ?? 0) > 1),
      models: agent.modelIds.flatMap((id) => {
        const asset = modelAssets.get(id);
        return asset ? [modelInUse(asset, modelRecords.get(id))] : [];
      }),
      tools: [...new Map([...own, ...exposed].map((tool) => [tool.id, tool])).values()].slice(0, MOST),
    };
  };
  return new Map([...agents].map(([assetId, agent]) => [assetId, around(assetId, agent)]));
}
