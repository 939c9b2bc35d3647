import { sha256 } from "../../../kernel/chain.js";
import { canonical } from "../../../kernel/events.js";
import type { ReadContext } from "../../../kernel/read-context.js";
import { type Asset, type AssetType, agents, identities, mcpServers, models, tools } from "../../estate/index.js";
import { AssetObject, SPEC_OBJECTS } from "../policies/vocabulary.js";
import { type AssetValues, assetValues } from "./asset-values.js";
import { agentValues, identityValues, modelValues, serverValues, toolValues } from "./spec-values.js";
import { assetsOf, recordsOf, runnersOf, surroundingsOf, toolsOf } from "./surroundings.js";

/** What rules over assets see of one of them at one moment. */
export interface Snapshot {
  readonly asset: AssetValues;
  /** Absent for types without a typed record. */
  readonly spec?: object;
  /** SHA-256 of everything in it that does not change by time alone, in canonical form. */
  readonly digest: string;
}

/** Snapshots of these assets by their ids, absent and foreign ones left out; a fixed number of questions for each thousand. */
export async function snapshotsOf(ctx: ReadContext, assetIds: readonly string[]): Promise<Map<string, Snapshot>> {
  return snapshotsOfAssets(ctx, [...(await assetsOf(ctx, assetIds)).values()]);
}

/** As `snapshotsOf`, for assets that were read already. */
export async function snapshotsOfAssets(ctx: ReadContext, list: readonly Asset[]): Promise<Map<string, Snapshot>> {
  const ofType = (type: AssetType) => list.filter(({ assetType }) => assetType === type);
  const specs = await Promise.all([
    agentSpecs(ctx, ofType("agent")),
    toolSpecs(ctx, ofType("tool")),
    identitySpecs(ctx, ofType("identity")),
    modelSpecs(ctx, ofType("model")),
    serverSpecs(ctx, ofType("mcp_server")),
  ]);
  const specOf = new Map(specs.flatMap((some) => [...some]));
  return new Map(list.map((asset) => [asset.id, snapshot(assetValues(asset, ctx.now), specOf.get(asset.id))]));
}

type Specs = Promise<(readonly [assetId: string, spec: object])[]>;

const idsOf = (list: readonly Asset[]) => list.map(({ id }) => id);

async function agentSpecs(ctx: ReadContext, list: readonly Asset[]): Specs {
  const records = await recordsOf(ctx, agents, idsOf(list));
  const around = await surroundingsOf(ctx, records);
  return list.flatMap((asset) => {
    const [record, surroundings] = [records.get(asset.id), around.get(asset.id)];
    return record && surroundings ? [[asset.id, agentValues(record, asset, surroundings)] as const] : [];
  });
}

async function toolSpecs(ctx: ReadContext, list: readonly Asset[]): Specs {
  return [...(await recordsOf(ctx, tools, idsOf(list), toolValues))];
}

async function identitySpecs(ctx: ReadContext, list: readonly Asset[]): Specs {
  const [records, runners] = await Promise.all([recordsOf(ctx, identities, idsOf(list)), runnersOf(ctx, idsOf(list))]);
  return [...records].map(([id, record]) => [id, identityValues(record, runners.get(id)?.size ?? 0, ctx.now)]);
}

async function modelSpecs(ctx: ReadContext, list: readonly Asset[]): Specs {
  const records = await recordsOf(ctx, models, idsOf(list));
  return [...records].map(([id, record]) => [id, modelValues(record, ctx.now)]);
}

async function serverSpecs(ctx: ReadContext, list: readonly Asset[]): Specs {
  const [records, exposed] = await Promise.all([recordsOf(ctx, mcpServers, idsOf(list)), toolsOf(ctx, idsOf(list))]);
  return [...records].map(([id, record]) => [id, serverValues(record, exposed.get(id) ?? [])]);
}

function snapshot(asset: AssetValues, spec: object | undefined): Snapshot {
  const lasting = {
    asset: lastingOf(AssetObject, asset),
    spec: spec && lastingOf(SPEC_OBJECTS[asset.assetType], spec),
  };
  return { asset, ...(spec ? { spec } : {}), digest: sha256(canonical(lasting)) };
}

/** The values of an object without those that time alone moves. */
function lastingOf(type: { readonly fields: Readonly<Record<string, object>> } | undefined, values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !("volatile" in (type?.fields[name] ?? {}))));
}
