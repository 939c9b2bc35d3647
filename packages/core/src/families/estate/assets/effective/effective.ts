import type { Environment } from "../../../../kernel/config/environment.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { PLATFORM_TENANT, platformGates } from "../../../platform/index.js";
import { type EffectiveDecision, effectiveDecision } from "../rules.js";
import { type Asset, assets } from "../schema.js";
import { unusableRecords } from "./record-side.js";

/** What a kill switch can apply to: an asset of this type, or any asset of the type when the id is `null`. */
interface Switched {
  readonly id: string | null;
  readonly assetType: Asset["assetType"];
}

/** The engaged kill switch that stops such an asset of a tenant, as shown to tenants. Rejects when none can be read. */
export async function engagedSwitch(
  env: Environment,
  tenantId: string,
  switched: Switched,
): Promise<string | undefined> {
  return shownOf(keysOf(tenantId, switched), await env.use(platformGates).engagedSwitches());
}

/** The engaged kill switch that stops such an asset of the tenant of the context; within a transaction, as of now. */
export async function engagedSwitchOf(ctx: ReadContext, switched: Switched): Promise<string | undefined> {
  return shownOf(keysOf(ctx.db.tenantId, switched), await engagedSwitchesOf(ctx));
}

/** The keys of all engaged kill switches; within a transaction, as of now. */
export function engagedSwitchesOf(ctx: ReadContext): Promise<ReadonlySet<string>> {
  const gates = ctx.env.use(platformGates);
  return ctx.inTransaction ? gates.engagedSwitchesWithin(ctx.committed(PLATFORM_TENANT)) : gates.engagedSwitches();
}

function keysOf(tenantId: string, { id, assetType }: Switched): readonly string[] {
  const kind = assetType === "agent" ? ["ai.agents"] : assetType === "mcp_server" ? ["ai.mcp"] : [];
  return ["ai.all", `ai.tenant.${tenantId}`, ...kind, ...(id === null ? [] : [`ai.asset.${id}`])];
}

function shownOf(keys: readonly string[], engaged: ReadonlySet<string>): string | undefined {
  const key = keys.find((one) => engaged.has(one));
  return key?.startsWith("ai.tenant.") ? "ai.tenant" : key;
}

/** Whether an asset may be used now, by kill switches, governance state, lifecycle and typed record. */
export async function effectiveNow(ctx: ReadContext, asset: Asset): Promise<EffectiveDecision> {
  const decided = effectiveDecision(asset, await engagedSwitchOf(ctx, asset), ctx.now);
  const reason = decided.decision === "deny" ? undefined : (await unusableRecords(ctx, [asset])).get(asset.id);
  return reason === undefined ? decided : { decision: "deny", reasons: [reason], asOf: ctx.now };
}

/** The effective decisions of many assets, by id, with one query per type. */
export async function effectiveOfAll(
  ctx: ReadContext,
  all: readonly Asset[],
): Promise<ReadonlyMap<string, EffectiveDecision>> {
  const unusable = await unusableRecords(ctx, all);
  const decided = new Map<string, EffectiveDecision>();
  for (const asset of all) {
    const decision = effectiveDecision(asset, await engagedSwitchOf(ctx, asset), ctx.now);
    const reason = decision.decision === "deny" ? undefined : unusable.get(asset.id);
    decided.set(asset.id, reason === undefined ? decision : { decision: "deny", reasons: [reason], asOf: ctx.now });
  }
  return decided;
}

/**
 * Whether an asset of this type may be used now. Denied when no asset has this id. With `null`, only kill switches
 * count.
 */
export async function effectiveOf(
  ctx: ReadContext,
  id: string | null,
  assetType: Asset["assetType"],
): Promise<EffectiveDecision> {
  const row = id === null ? undefined : await ctx.db.get(assets, id);
  if (row) return effectiveNow(ctx, ctx.derived(assets, row));
  const engaged = await engagedSwitchOf(ctx, { id, assetType });
  const reason = engaged === undefined ? (id === null ? undefined : "not_found") : `kill_switch:${engaged}`;
  return { decision: reason ? "deny" : "allow", reasons: reason ? [reason] : [], asOf: ctx.now };
}
