import { LIMITS } from "#cel/limits.js";
import { type Agent, type Asset, assetLinks, assets, models, type Tool, tools } from "#families/estate/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { Collection } from "#kernel/records/collection.js";
import type { StoredRecord } from "#store/collection.js";
import { type Row, type RowVersion, versionOf } from "#store/row.js";
import type { Reader } from "#store/store.js";
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

/** What was read of a record, and the version of its row. */
export interface Versioned<V> {
  readonly value: V;
  readonly row: RowVersion;
}

/** Typed records by asset id, or what `view` keeps of them. */
export async function recordsOf<R extends StoredRecord & { readonly assetId: string }, V = R>(
  source: Source,
  collection: Collection<R>,
  assetIds: readonly string[],
  view: (record: R) => V = (record) => record as unknown as V,
): Promise<Map<string, Versioned<V>>> {
  const found = await inChunks([...new Set(assetIds)], async (some) => {
    const rows = await source.db.lookupMany(
      collection,
      "asset",
      some.map((assetId) => ({ assetId })),
    );
    return rows.flatMap((row) => {
      if (!row) return [];
      const record = source.derived(collection, row);
      return [[record.assetId, { value: view(record), row: versionOf(row) }] as const];
    });
  });
  return new Map(found);
}

/** Assets by id, as of the source's moment. */
export async function assetsOf(source: Source, assetIds: readonly string[]): Promise<Map<string, Versioned<Asset>>> {
  const rows = await inChunks([...new Set(assetIds)], (some) => source.db.getMany(assets, some));
  return new Map(rows.map((row) => [row.id, { value: source.derived(assets, row), row: versionOf(row) }]));
}

/** The tools that MCP servers expose, by the ids of the servers. */
export async function toolsOf(
  source: Source,
  serverIds: readonly string[],
): Promise<Map<string, Versioned<ToolValues>[]>> {
  const ask = async (values: readonly string[]) => {
    const found = await source.db.findTopPerKey(tools, { field: "serverId", values, size: MOST });
    const seen = (row: Row<Tool>) => ({ value: toolValues(row.value), row: versionOf(row) });
    return [...found].map(([id, rows]) => [id, rows.map(seen)] as const);
  };
  return new Map(await inChunks([...new Set(serverIds)], ask, SERVERS));
}

/** The other ends of `runs_as` relations: the identities of agents, or the agents of identities. */
async function otherEnds(
  source: Source,
  field: "runnerId" | "runsAsId",
  ids: readonly string[],
): Promise<Map<string, Versioned<string>[]>> {
  const end = field === "runnerId" ? "targetId" : "sourceId";
  const found = await inChunks([...new Set(ids)], async (values) => [
    ...(await source.db.findTopPerKey(assetLinks, { field, values, size: MOST })),
  ]);
  return new Map(found.map(([id, rows]) => [id, rows.map((row) => ({ value: row.value[end], row: versionOf(row) }))]));
}

/** The agents that run as each of these identities. */
export function runnersOf(source: Source, identityIds: readonly string[]): Promise<Map<string, Versioned<string>[]>> {
  return otherEnds(source, "runsAsId", identityIds);
}

/** How many agents these are. One may have several relations to the same identity. */
export function countOf(runners: readonly Versioned<string>[] = []): number {
  return new Set(runners.map(({ value }) => value)).size;
}

/** What rules read of the records around an agent, and the versions of all rows that it was read from. */
export interface VersionedSurroundings {
  readonly value: AgentSurroundings;
  readonly rows: readonly RowVersion[];
}

/** What is around each agent, by asset id. */
export async function surroundingsOf(
  source: Source,
  agents: ReadonlyMap<string, Versioned<Agent>>,
): Promise<Map<string, VersionedSurroundings>> {
  const named = [...agents.values()].map(({ value }) => value);
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
  const runners = await runnersOf(
    source,
    [...runsAs.values()].flat().map(({ value }) => value),
  );
  const around = (assetId: string, { modelIds, toolIds, mcpServerIds }: Agent): VersionedSurroundings => {
    const identities = runsAs.get(assetId) ?? [];
    const beside = identities.map(({ value }) => runners.get(value) ?? []);
    const used = modelIds.map((id) => ({ asset: modelAssets.get(id), record: modelRecords.get(id) }));
    const called = [
      ...toolIds.flatMap((id) => ownTools.get(id) ?? []),
      ...mcpServerIds.flatMap((id) => serverTools.get(id) ?? []),
    ];
    const value = {
      hasIdentity: identities.length > 0,
      identityShared: beside.some((all) => countOf(all) > 1),
      models: used.flatMap(({ asset, record }) => (asset ? [modelInUse(asset.value, record?.value)] : [])),
      tools: [...new Map(called.map((tool) => [tool.value.id, tool.value])).values()].slice(0, MOST),
    };
    const ofModels = used.flatMap(({ asset, record }) => [asset ?? [], record ?? []].flat());
    return { value, rows: [...ofModels, ...called, ...identities, ...beside.flat()].map(({ row }) => row) };
  };
  return new Map([...agents].map(([assetId, { value }]) => [assetId, around(assetId, value)]));
}
