import { type Asset, type AssetType, agents, identities, mcpServers, models, tools } from "#families/estate/index.js";
import type { Collection } from "#kernel/records/collection.js";
import type { StoredRecord } from "#store/collection.js";
import type { RowVersion } from "#store/row.js";
import { agentValues, identityValues, modelValues, serverValues, toolValues } from "./spec-values.js";
import { countOf, recordsOf, runnersOf, type Source, surroundingsOf, toolsOf } from "./surroundings.js";

/** What a snapshot has of the typed record of an asset, and of what is around it. */
export interface Spec {
  /** The rows that it was read from. */
  readonly rows: readonly RowVersion[];
  valuesOf(subject: { readonly asset: Asset }): object;
}

type Specs = Promise<(readonly [assetId: string, spec: Spec])[]>;

/** The typed records of these assets by asset id. Queries are per type, none per asset. */
export async function specsOf(
  source: Source,
  list: readonly Pick<Asset, "id" | "assetType">[],
): Promise<ReadonlyMap<string, Spec>> {
  const ofType = (type: AssetType) => list.flatMap(({ id, assetType }) => (assetType === type ? [id] : []));
  const specs = await Promise.all([
    agentSpecs(source, ofType("agent")),
    plainSpecs(source, tools, ofType("tool"), toolValues),
    identitySpecs(source, ofType("identity")),
    plainSpecs(source, models, ofType("model"), (model) => modelValues(model, source.now)),
    serverSpecs(source, ofType("mcp_server")),
  ]);
  return new Map(specs.flat());
}

async function agentSpecs(source: Source, ids: readonly string[]): Specs {
  const records = await recordsOf(source, agents, ids);
  const around = await surroundingsOf(source, records);
  return [...records].flatMap(([id, { value, row }]) => {
    const near = around.get(id);
    if (!near) return [];
    const valuesOf: Spec["valuesOf"] = ({ asset }) => agentValues(value, asset, near.value);
    return [[id, { rows: [row, ...near.rows], valuesOf }] as const];
  });
}

/** Of records that rules read by themselves. */
async function plainSpecs<R extends StoredRecord & { readonly assetId: string }>(
  source: Source,
  collection: Collection<R>,
  ids: readonly string[],
  valuesOf: (record: R) => object,
): Specs {
  const records = await recordsOf(source, collection, ids, valuesOf);
  return [...records].map(([id, { value, row }]) => [id, { rows: [row], valuesOf: () => value }]);
}

async function identitySpecs(source: Source, ids: readonly string[]): Specs {
  const [records, runners] = await Promise.all([recordsOf(source, identities, ids), runnersOf(source, ids)]);
  return [...records].map(([id, { value, row }]) => {
    const agents = runners.get(id) ?? [];
    const rows = [row, ...agents.map((agent) => agent.row)];
    return [id, { rows, valuesOf: () => identityValues(value, countOf(agents), source.now) }];
  });
}

async function serverSpecs(source: Source, ids: readonly string[]): Specs {
  const [records, exposed] = await Promise.all([recordsOf(source, mcpServers, ids), toolsOf(source, ids)]);
  return [...records].map(([id, { value, row }]) => {
    const called = exposed.get(id) ?? [];
    const rows = [row, ...called.map((tool) => tool.row)];
    const valuesOf = () =>
      serverValues(
        value,
        called.map((tool) => tool.value),
      );
    return [id, { rows, valuesOf }];
  });
}
