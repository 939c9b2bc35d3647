import {
  PLATFORM_TENANT,
  platformGates,
  switchOfAsset,
  switchOfTenant,
  switchReason,
  switchTarget,
} from "#families/platform/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { MaybePromise } from "#kernel/async/maybe-promise.js";
import type { Environment } from "#kernel/config/environment.js";
import { defineExtensionPoint } from "#kernel/config/extension.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { type Asset, assets } from "../schema.js";

/** What a stop can apply to: an asset of this type, or any asset of the type when the id is `null`. */
export interface Stoppable {
  readonly id: string | null;
  readonly assetType: Asset["assetType"];
  readonly team?: Asset["team"];
}

/** What the tenant itself has stopped: a code that names it, and which assets it applies to. */
export interface TenantStop {
  readonly code: string;
  readonly applies: (asset: Stoppable) => boolean;
}

/** Extension point: reads what the tenant has stopped, newest first. */
export const tenantStops =
  defineExtensionPoint<(ctx: ReadContext) => Promise<readonly TenantStop[]>>("estate.tenantStops");

async function tenantStopsOf(ctx: ReadContext): Promise<readonly TenantStop[]> {
  return (await Promise.all(ctx.env.use(tenantStops).map((read) => read(ctx)))).flat();
}

/** The code of what stops an asset whatever its states are. */
export type StopOf = (asset: Stoppable) => string | undefined;

const OF_TYPE: Readonly<Partial<Record<Asset["assetType"], string>>> = { agent: "ai.agents", mcp_server: "ai.mcp" };

/** The kill switches that would stop such an asset, in the order in which they are named. */
function switchesFor(tenantId: string, { id, assetType }: Stoppable): readonly string[] {
  const kind = OF_TYPE[assetType];
  return ["ai.all", switchOfTenant(tenantId), ...(kind ? [kind] : []), ...(id === null ? [] : [switchOfAsset(id)])];
}

/** Tells which kill switch stops an asset of a tenant, as shown to tenants. */
function switchOf(engaged: ReadonlySet<string>, tenantId: string): StopOf {
  if (engaged.size === 0) return () => undefined;
  return (asset) => {
    const key = switchesFor(tenantId, asset).find((one) => engaged.has(one));
    return key === undefined ? undefined : switchReason(key);
  };
}

/** The engaged kill switch that stops such an asset of a tenant. Rejects when switches cannot be read. */
export async function engagedSwitch(env: Environment, tenantId: string, asset: Stoppable): Promise<string | undefined> {
  const engaged = await env.use(platformGates).engagedSwitches();
  return switchOf(engaged, tenantId)(asset)?.slice("kill_switch:".length);
}

/** The assets, of all tenants, that switches of their own stop. */
export const switchedOffAssets = (engaged: Iterable<string>): string[] =>
  [...engaged].flatMap((key) => {
    const target = switchTarget(key);
    return target?.kind === "asset" ? [target.id] : [];
  });

/** The assets of a tenant that an engaged kill switch of their own stops. Rejects when switches cannot be read. */
export async function assetsSwitchedOff(env: Environment, tenantId: string): Promise<Asset[]> {
  const engaged = await env.use(platformGates).engagedSwitches();
  const ids = switchedOffAssets(engaged);
  // Switches for assets of other tenants are among them.
  const rows = await inChunks(ids, (some) => env.store.forTenant(tenantId).getMany(assets, some));
  return rows.map(({ value }) => value);
}

/** Tells whether a halt, or a kill switch for this asset alone, stops an asset. */
export type SingleStops = (asset: Stoppable) => boolean;

/** What stops some assets and not all of a kind, so that others may try to get away from it. `undefined`: nothing does. */
export async function singleStopsOf(ctx: ReadContext): Promise<SingleStops | undefined> {
  const [engaged, own] = await Promise.all([engagedSwitchesOf(ctx), tenantStopsOf(ctx)]);
  const switchedOff = new Set(switchedOffAssets(engaged));
  if (own.length === 0 && switchedOff.size === 0) return undefined;
  return (asset) => (asset.id !== null && switchedOff.has(asset.id)) || own.some(({ applies }) => applies(asset));
}

/** The keys of all engaged kill switches; within a transaction, as of now. */
export function engagedSwitchesOf(ctx: ReadContext): MaybePromise<ReadonlySet<string>> {
  const gates = ctx.env.use(platformGates);
  return ctx.inTransaction ? gates.engagedSwitchesWithin(ctx.committed(PLATFORM_TENANT)) : gates.engagedSwitches();
}

/**
 * What stops assets of the tenant whatever their states are: kill switches, then the tenant's own halts. Rejects when
 * that cannot be read.
 */
export async function stopsOf(ctx: ReadContext): Promise<StopOf> {
  const [engaged, own] = await Promise.all([engagedSwitchesOf(ctx), tenantStopsOf(ctx)]);
  const switched = switchOf(engaged, ctx.db.tenantId);
  if (own.length === 0) return switched;
  return (asset) => switched(asset) ?? own.find(({ applies }) => applies(asset))?.code;
}
