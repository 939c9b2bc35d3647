import {
  type AssetType,
  assets,
  likenessOf,
  modelAliases,
  models,
  noteUse,
  registerAsset,
  tools,
} from "#families/estate/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { Collection } from "#kernel/records/collection.js";
import { nameOf } from "#kernel/records/cut-text.js";
import type { StoredRecord } from "#store/collection.js";
import type { Installation } from "../installations/schema.js";
import { agentServers } from "../publications/name-servers.js";
import { UNKNOWN_HASH } from "./resolve-hashes.js";
import type { Cell } from "./rules.js";

/** The most that one export adds to the inventory. */
const MOST = 50;
const SOURCE = "telemetry";

/** Something that calls name, as an asset of that kind would be called. */
interface Sighting {
  readonly assetType: AssetType & ("agent" | "model" | "tool" | "mcp_server");
  readonly name: string;
  /** Its name in calls: of a model, a tool or a server. */
  readonly called: string;
  readonly server: string | null;
  readonly provider: string;
}

/**
 * Registers models, tools and MCP servers that calls name and the inventory lacks, as discovered, once for each name. Those
 * that are there are seen again. To be seen approves nothing.
 */
export async function noteSightings(ctx: Context, installation: Installation, cells: readonly Cell[]): Promise<void> {
  const sighted = sightingsIn(cells);
  if (sighted.size === 0) return;
  const known = await knownOf(ctx, installation, [...sighted.values()]);
  await noteUse(ctx, [...known.values()]);
  const news = [...sighted].filter(([key]) => !known.has(key)).slice(0, MOST);
  for (const [, sighting] of news) if (!(await register(ctx, installation, sighting))) return;
}

/**
 * Registers agents that calls are said to be of and the inventory lacks, as `noteSightings` does, as far as there is room.
 * Returns how many are new.
 */
export async function noteAgents(
  ctx: Context,
  installation: Installation,
  names: readonly string[],
  room: number,
): Promise<number> {
  if (names.length === 0) return 0;
  const byKey = new Map(names.map((name) => [keyOf({ assetType: "agent", name }), name]));
  const known = await firstOf(ctx, assets, "likeness", [...byKey.keys()]);
  await noteUse(ctx, known);
  for (const asset of known) byKey.delete(likenessOf(asset));
  const news = [...byKey.values()].slice(0, Math.max(0, Math.min(MOST, room)));
  for (const [at, name] of news.entries()) {
    const sighting = { assetType: "agent", name, called: name, server: null, provider: "" } as const;
    if (!(await register(ctx, installation, sighting))) return at;
  }
  return news.length;
}

function sightingsIn(cells: readonly Cell[]): ReadonlyMap<string, Sighting> {
  const all = cells.flatMap(({ provider, model, tool, server }): Sighting[] => [
    ...(model === null
      ? []
      : [{ assetType: "model" as const, name: model, called: model, server: null, provider: provider ?? "" }]),
    ...(server === null
      ? []
      : [{ assetType: "mcp_server" as const, name: server, called: server, server: null, provider: "" }]),
    ...(tool === null
      ? []
      : [
          {
            ...{ assetType: "tool" as const, called: tool, server, provider: "" },
            name: nameOf(server === null ? tool : `${tool} (${server})`),
          },
        ]),
  ]);
  // What has no name here is found in the usage alone.
  const named = all.filter(({ called, server }) => ![called, server].some((name) => name?.startsWith(UNKNOWN_HASH)));
  return new Map(named.map((one) => [keyOf(one), one]));
}

const keyOf = ({ assetType, name }: Pick<Sighting, "assetType" | "name">) => likenessOf({ assetType, name });

type KnownAsset = Parameters<typeof noteUse>[1][number];

/** The assets behind what was seen: of the agent's own servers, of a model's names, or of the same kind and name. */
async function knownOf(
  ctx: Context,
  installation: Installation,
  sighted: readonly Sighting[],
): Promise<ReadonlyMap<string, KnownAsset>> {
  const records = await recordsOf(ctx, installation, sighted);
  const rows = await ctx.db.getMany(assets, [...new Set(records.values())]);
  const byId = new Map(rows.map(({ id, value }) => [id, value]));
  const found = new Map<string, KnownAsset>();
  for (const [key, assetId] of records) {
    const asset = byId.get(assetId);
    if (asset) found.set(key, asset);
  }
  const left = sighted.map(keyOf).filter((key) => !found.has(key));
  for (const value of await firstOf(ctx, assets, "likeness", left)) found.set(likenessOf(value), value);
  return found;
}

/** Ids of assets by what was seen, where a typed record has the very name. */
async function recordsOf(
  ctx: Context,
  { agentId }: Installation,
  sighted: readonly Sighting[],
): Promise<ReadonlyMap<string, string>> {
  const servers = await agentServers(ctx, agentId);
  const calledBy = new Map([...servers].map(([server, name]) => [name, server.assetId]));
  const found = new Map<string, string>();
  const asked = sighted.filter(({ assetType }) => assetType === "model");
  for (const [called, assetId] of await modelsBy(
    ctx,
    asked.map(({ called }) => called),
  ))
    found.set(likenessOf({ assetType: "model", name: called }), assetId);
  for (const one of sighted) {
    const assetId = one.assetType === "mcp_server" ? calledBy.get(one.called) : undefined;
    if (assetId !== undefined) found.set(keyOf(one), assetId);
  }
  const ofServers = sighted.flatMap((one) => {
    const serverId = one.server === null ? undefined : calledBy.get(one.server);
    return one.assetType === "tool" && serverId !== undefined ? [{ one, key: { serverId, toolName: one.called } }] : [];
  });
  const keys = ofServers.map(({ key }) => key);
  const rows = keys.length === 0 ? [] : await ctx.db.lookupMany(tools, "name", keys);
  for (const [at, { one }] of ofServers.entries()) {
    const row = rows[at];
    if (row) found.set(keyOf(one), row.value.assetId);
  }
  const builtIn = sighted.filter(({ assetType, server }) => assetType === "tool" && server === null);
  const names = builtIn.map(({ called }) => called);
  for (const { toolName, assetId } of await firstOf(ctx, tools, "toolName", names))
    if (toolName !== null) found.set(likenessOf({ assetType: "tool", name: toolName }), assetId);
  return found;
}

/** Assets of models by the name at their provider, or by an alias. */
async function modelsBy(ctx: Context, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const named = await firstOf(ctx, models, "modelId", names);
  const aliases = await ctx.db.getMany(modelAliases, names);
  const aliased = await ctx.db.getMany(models, [...new Set(aliases.map(({ value }) => value.modelId))]);
  const assetOf = new Map(aliased.map(({ id, value }) => [id, value.assetId]));
  return new Map([
    ...named.map(({ modelId, assetId }) => [modelId ?? "", assetId] as const),
    ...aliases.flatMap(({ id, value }) => {
      const assetId = assetOf.get(value.modelId);
      return assetId === undefined ? [] : [[id, assetId] as const];
    }),
  ]);
}

/** The newest record for each of these values of a field, as far as there is one. */
async function firstOf<R extends StoredRecord>(
  { db }: Context,
  collection: Collection<R>,
  field: string,
  values: readonly string[],
): Promise<R[]> {
  if (values.length === 0) return [];
  const found = await db.findTopPerKey(collection, { field, values: [...new Set(values)], size: 1 });
  return [...found.values()].flatMap((rows) => rows.map(({ value }) => value));
}

/** Registers what was seen. `false` once the tenant has no room for more assets. */
async function register(
  ctx: Context,
  { name: place, client }: Installation,
  { assetType, name, called, server, provider }: Sighting,
): Promise<boolean> {
  const detail = `Calls that ${client} reports name it. The first came from "${place}".`;
  const fields = {
    ...{ assetType, provider, source: "discovery" as const },
    externalRef: { source: SOURCE, id: server === null ? called : `${server}/${called}` },
    evidence: [{ source: SOURCE, detail, at: ctx.now }],
  };
  const own = {
    agent: {},
    model: { modelId: called },
    tool: { toolName: called, origin: server === null ? "builtin" : "mcp" },
    mcp_server: {},
  }[assetType];
  try {
    await registerAsset(
      ctx,
      { fields, free: { name }, status: undefined, reason: undefined },
      { fields: own, free: {} },
    );
    return true;
  } catch (thrown) {
    if (ReeveError.is(thrown) && thrown.code === "limit_exceeded") return false;
    throw thrown;
  }
}
