import {
  type Asset,
  addressKey,
  agents,
  assets,
  endpointAddress,
  identities,
  likenessOf,
  mcpServers,
  tools,
} from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Collection } from "#kernel/records/collection.js";
import { isIdOf, type StoredRecord } from "#store/collection.js";

/** How somebody else names an asset. */
export interface Name {
  readonly assetType: Asset["assetType"];
  readonly id: string;
  /** The name or the id of the server that a tool is of. */
  readonly server: string | undefined;
}

/** The most records that one name is looked for among. */
const MOST = 100;

/** The ids of the assets that each name may mean, in the order of the names. One query for each way of naming. */
export async function findRecords(ctx: ReadContext, names: readonly Name[]): Promise<readonly ReadonlySet<string>[]> {
  const found = names.map(() => new Set<string>());
  for (const look of [byName, byToolName, byAddress, byClient])
    for (const [name, assetId] of await look(ctx, names)) found[names.indexOf(name)]?.add(assetId);
  return found;
}

type Hits = readonly (readonly [name: Name, assetId: string])[];

async function byName(ctx: ReadContext, names: readonly Name[]): Promise<Hits> {
  const plain = names.filter(({ server }) => server === undefined);
  const alike = plain.map(({ assetType, id }) => likenessOf({ assetType, name: id }));
  const records = await all(ctx, assets, "likeness", alike);
  return plain.flatMap((name) =>
    records
      .filter((one) => one.assetType === name.assetType && one.name === name.id)
      .map(({ id }) => [name, id] as const),
  );
}

/** Tools by the name that they are called by, alone or as `server/name`. */
async function byToolName(ctx: ReadContext, names: readonly Name[]): Promise<Hits> {
  const asked = names.filter(({ assetType }) => assetType === "tool");
  const records = await all(
    ctx,
    tools,
    "toolName",
    asked.flatMap(({ id }) => [id, id.slice(id.lastIndexOf("/") + 1)]),
  );
  const servers = [...new Set(records.flatMap(({ serverId }) => serverId ?? []))];
  const nameOf = new Map((await ctx.db.getMany(assets, servers)).map(({ id, value }) => [id, value.name]));
  return asked.flatMap((name) =>
    records
      .filter(({ toolName, serverId }) => {
        const of = serverId === null ? undefined : nameOf.get(serverId);
        if (name.server !== undefined) return toolName === name.id && [of, serverId].includes(name.server);
        return toolName === name.id || (of !== undefined && `${of}/${toolName}` === name.id);
      })
      .map(({ assetId }) => [name, assetId] as const),
  );
}

async function byAddress(ctx: ReadContext, names: readonly Name[]): Promise<Hits> {
  const keyed = names.flatMap((name) => {
    const key = addressKey(name.id);
    return key === null ? [] : [{ name, key }];
  });
  const keysOf = (type: Name["assetType"]) => keyed.filter(({ name }) => name.assetType === type).map(({ key }) => key);
  const known = [
    ...(await all(ctx, agents, "address", keysOf("agent"))).map(({ assetId, endpointUrl }) => {
      return { assetId, assetType: "agent", key: addressKey(endpointUrl) };
    }),
    ...(await all(ctx, mcpServers, "address", keysOf("mcp_server"))).map((server) => {
      return { assetId: server.assetId, assetType: "mcp_server", key: endpointAddress(server) };
    }),
  ];
  return keyed.flatMap(({ name, key }) =>
    known
      .filter((one) => one.assetType === name.assetType && one.key === key)
      .map(({ assetId }) => [name, assetId] as const),
  );
}

/** Agents by the id of the identity that they run as, which is their client id. */
async function byClient(ctx: ReadContext, names: readonly Name[]): Promise<Hits> {
  const asked = names.filter(({ assetType, id }) => assetType === "agent" && isIdOf(identities, id));
  if (asked.length === 0) return [];
  const rows = await ctx.db.getMany(identities, [...new Set(asked.map(({ id }) => id))]);
  const assetOf = new Map(rows.map(({ id, value }) => [id, value.assetId]));
  const records = await all(ctx, agents, "identityId", [...assetOf.values()]);
  return asked.flatMap((name) =>
    records
      .filter(({ identityId }) => identityId !== null && identityId === assetOf.get(name.id))
      .map(({ assetId }) => [name, assetId] as const),
  );
}

/** The records with one of these values. */
async function all<R extends StoredRecord>(
  { db }: ReadContext,
  collection: Collection<R>,
  field: string,
  values: readonly string[],
): Promise<R[]> {
  if (values.length === 0) return [];
  const found = await db.findTopPerKey(collection, { field, values: [...new Set(values)], size: MOST });
  // Among more there may be others of the very name, so that none is taken.
  return [...found.values()].flatMap((rows) => (rows.length < MOST ? rows.map(({ value }) => value) : []));
}
