import { canonical } from "../../../../kernel/events/canonical.js";
import { sha256 } from "../../../../kernel/events/chain.js";
import { NO_STANDINGS, type Standings, standingsOf } from "../../../assessments/index.js";
import { type Asset, type AssetType, agents, identities, mcpServers, models, tools } from "../../../estate/index.js";
import { PostureAssetObject, SPEC_OBJECTS } from "../../policies/compile/vocabulary.js";
import { type AssetValues, assetValues } from "./asset-values.js";
import { agentValues, identityValues, modelValues, serverValues, type ToolValues, toolValues } from "./spec-values.js";
import { assetsOf, recordsOf, runnersOf, type Source, surroundingsOf, toolsOf } from "./surroundings.js";

/** The values of an asset that posture rules read. */
type PostureAssetValues = AssetValues & {
  readonly impactAssessment: Standings["impact"];
  readonly riskAssessment: Standings["risk"];
};

/** The values that posture rules read of one asset at one moment. */
export interface Snapshot {
  readonly asset: PostureAssetValues;
  /** Absent for types without a typed record. */
  readonly spec?: object;
  /** SHA-256 of all its values except volatile ones, in canonical form. */
  readonly digest: string;
}

/** Snapshots of these assets by id, without missing ones and those of other tenants. Queries are per chunk, none per asset. */
export async function snapshotsOf(source: Source, assetIds: readonly string[]): Promise<Map<string, Snapshot>> {
  return snapshotsOfAssets(source, [...(await assetsOf(source, assetIds)).values()]);
}

/** As `snapshotsOf`, for assets that were read already. */
export async function snapshotsOfAssets(source: Source, list: readonly Asset[]): Promise<Map<string, Snapshot>> {
  const ofType = (type: AssetType) => list.filter(({ assetType }) => assetType === type);
  const [standings, ...specs] = await Promise.all([
    standingsOf(source, list),
    agentSpecs(source, ofType("agent")),
    toolSpecs(source, ofType("tool")),
    identitySpecs(source, ofType("identity")),
    modelSpecs(source, ofType("model")),
    serverSpecs(source, ofType("mcp_server")),
  ]);
  const specOf = new Map(specs.flatMap((some) => [...some]));
  return new Map(
    list.map((asset) => {
      const spec = specOf.get(asset.id);
      const effects = asset.assetType === "tool" ? (spec as ToolValues | undefined)?.effects : undefined;
      return [
        asset.id,
        snapshot(postureValues(assetValues(asset, source.now, effects), standings.get(asset.id)), spec),
      ];
    }),
  );
}

type Specs = Promise<(readonly [assetId: string, spec: object])[]>;

const idsOf = (list: readonly Asset[]) => list.map(({ id }) => id);

async function agentSpecs(source: Source, list: readonly Asset[]): Specs {
  const records = await recordsOf(source, agents, idsOf(list));
  const around = await surroundingsOf(source, records);
  return list.flatMap((asset) => {
    const [record, surroundings] = [records.get(asset.id), around.get(asset.id)];
    return record && surroundings ? [[asset.id, agentValues(record, asset, surroundings)] as const] : [];
  });
}

async function toolSpecs(source: Source, list: readonly Asset[]): Specs {
  return [...(await recordsOf(source, tools, idsOf(list), toolValues))];
}

async function identitySpecs(source: Source, list: readonly Asset[]): Specs {
  const [records, runners] = await Promise.all([
    recordsOf(source, identities, idsOf(list)),
    runnersOf(source, idsOf(list)),
  ]);
  return [...records].map(([id, record]) => [id, identityValues(record, runners.get(id)?.size ?? 0, source.now)]);
}

async function modelSpecs(source: Source, list: readonly Asset[]): Specs {
  const records = await recordsOf(source, models, idsOf(list));
  return [...records].map(([id, record]) => [id, modelValues(record, source.now)]);
}

async function serverSpecs(source: Source, list: readonly Asset[]): Specs {
  const [records, exposed] = await Promise.all([
    recordsOf(source, mcpServers, idsOf(list)),
    toolsOf(source, idsOf(list)),
  ]);
  return [...records].map(([id, record]) => [id, serverValues(record, exposed.get(id) ?? [])]);
}

function postureValues(asset: AssetValues, { impact, risk }: Standings = NO_STANDINGS): PostureAssetValues {
  return { ...asset, impactAssessment: impact, riskAssessment: risk };
}

function snapshot(asset: PostureAssetValues, spec: object | undefined): Snapshot {
  let digest: string | undefined;
  return {
    asset,
    ...(spec ? { spec } : {}),
    // Computed on demand, because not all callers need it.
    get digest() {
      digest ??= digestOf(asset, spec);
      return digest;
    },
  };
}

function digestOf(asset: PostureAssetValues, spec: object | undefined): string {
  const ofSpec = spec ? `,"spec":${lastingText(SPEC_OBJECTS[asset.assetType], spec)}` : "";
  return sha256(`{"asset":${lastingText(PostureAssetObject, asset)}${ofSpec}}`);
}

type Declared = { readonly fields: Readonly<Record<string, object>> } | undefined;

/** Names of lasting values in canonical order, by the declaration of the object that has them. */
const lastingNames = new Map<Declared, readonly string[]>();

function lastingNamesOf(declared: Declared): readonly string[] {
  const known = lastingNames.get(declared);
  if (known) return known;
  const names = Object.entries(declared?.fields ?? {}).flatMap(([name, field]) => ("volatile" in field ? [] : name));
  lastingNames.set(declared, names.sort());
  return names;
}

/** The canonical text of an object without volatile values, written value by value, so that it need not be sorted. */
function lastingText(declared: Declared, values: object): string {
  const texts: string[] = [];
  for (const name of lastingNamesOf(declared)) {
    const value = (values as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) texts.push(`"${name}":${canonical(value)}`);
  }
  return `{${texts.join(",")}}`;
}
