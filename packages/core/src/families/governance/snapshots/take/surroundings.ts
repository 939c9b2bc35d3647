import { LIMITS } from "../../../../cel/limits.js";
import { inChunks } from "../../../../kernel/async/in-chunks.js";
import type { Collection } from "../../../../kernel/records/collection.js";
import type { StoredRecord } from "../../../../store/collection.js";
import type { Row } from "../../../../store/row.js";
import type { Reader } from "../../../../store/store.js";
import { type Agent, type Asset, assetLinks, assets, models, tools } from "../../../estate/index.js";
import { type AgentSurroundings, modelInUse, type ToolValues, toolValues } from "./spec-values.js";

/** The source of snapshots: the records of a tenant as of one moment. */
export interface Source {
  readonly now: string;
  readonly db: Pick<Reader, "getMany" | "lookupMany" | "findTopPerKey">;
  derived<R extends StoredRecord>(collection: Collection<R>, row: Row<R>): R;
}

/** One more than the list limit of expressions, so that an expression fails on a list that is too long. */
const MOST = LIMITS.listItems + 1;

/** The most servers whose tools one query reads. The content of tools can be long, and most of it is dropped. */
const SERVERS = 10;

/** Typed records by asset id, or what `view` keeps of them. */
export async function recordsOf<R extends StoredRecord & { readonly assetId: string }, V = R>(
  source: Source,
  collection: Collection<R>,
  assetIds: readonly string[],
  view: (record: R) => V = (record) => record as unknown as V,
): Promise<Map<string, V>> {
  const found = await inChunks([...new Set(assetIds)], async (some) => {
    const rows = await source.db.lookupMany(
      collection,
      "asset",
      some.map((assetId) => ({ assetId })),
    );
    return rows.flatMap((row) => {
      const record = row && source.derived(collection, row);
      return record ? [[record.assetId, view(record)] as const] : [];
    });
  });
  return new Map(found);
}

/** Assets by id, as of the source's moment. */
export async function assetsOf(source: Source, assetIds: readonly string[]): Promise<Map<string, Asset>> {
  const rows = await inChunks([...new Set(assetIds)], (some) => source.db.getMany(assets, some));
  return new Map(rows.map((row) => [row.id, source.derived(assets, row)]));
}

/** The tools that MCP servers expose, by the ids of the servers. */
export async function toolsOf(source: Source, serverIds: readonly string[]): Promise<Map<string, ToolValues[]>> {
  const ask = async (values: readonly string[]) => {
    const found = await source.db.findTopPerKey(tools, { field: "serverId", values, size: MOST });
    return [...found].map(([id, rows]) => [id, rows.map(({ value }) => toolValues(value))] as const);
  };
  return new Map(await inChunks([...new Set(serverIds)], ask, SERVERS));
}

/** The other ends of `runs_as` relations: the identities of agents, or the agents of identities. */
async function otherEnds(
  source: Source,
  field: "runnerId" | "runsAsId",
  ids: readonly string[],
): Promise<Map<string, Set<string>>> {
  const end = field === "runnerId" ? "targetId" : "sourceId";
  const found = await inChunks([...new Set(ids)], async (values) => [
    ...(await source.db.findTopPerKey(assetLinks, { field, values, size: MOST })),
  ]);
  return new Map(found.map(([id, rows]) => [id, new Set(rows.map(({ value }) => value[end]))]));
}

/** The agents that run as each of these identities. */
export function runnersOf(source: Source, identityIds: readonly string[]): Promise<Map<string, Set<string>>> {
  return otherEnds(source, "runsAsId", identityIds);
}

/** The related records of each agent, by asset id. */
export async function surroundingsOf(
  source: Source,
  agents: ReadonlyMap<string, Agent>,
): Promise<Map<string, AgentSurroundings>> {
  const named = [...agents.values()];
  const modelIds = named.flatMap((agent) => agent.modelIds);
  const toolIds = named.flatMap((agent) => agent.toolIds);
  const serverIds = named.flatMap((agent) => agent.mcpServerIds);
  const [modelAssets, modelRecords, ownTools, serverTools, runsAs] = await Promise.all([
    assetsOf(source, modelIds),
    recordsOf(source, models, modelIds),
    recordsOf(source, tools, toolIds, toolValues),
    toolsOf(source, serverIds),
    otherEnds(source, "runnerId", [...agents.keys()]),
  ]);
  const identitiesOf = (assetId: string) => [...(runsAs.get(assetId) ?? [])];
  const runners = await runnersOf(source, [...agents.keys()].flatMap(identitiesOf));
  const around = (assetId: string, agent: Agent): AgentSurroundings => {
    const identityIds = identitiesOf(assetId);
    const own = agent.toolIds.flatMap((id) => ownTools.get(id) ?? []);
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
