import type { ReadContext } from "#kernel/operation/read-context.js";
import { decide, denial, type EffectiveDecision } from "../containment/decide.js";
import { type Graph, graphOf } from "../containment/graph.js";
import { type StopOf, stopsOf } from "../containment/stops.js";
import { type Asset, assets } from "../schema.js";

/** Whether an asset may be used now, by itself and by what it depends on. */
export async function effectiveNow(ctx: ReadContext, asset: Asset): Promise<EffectiveDecision> {
  return (await effectiveOfAll(ctx, [asset])).get(asset.id) as EffectiveDecision;
}

/** The effective decisions of many assets by id, with a fixed number of queries per step of their relations. */
export async function effectiveOfAll(
  ctx: ReadContext,
  all: readonly Asset[],
): Promise<ReadonlyMap<string, EffectiveDecision>> {
  return (await surveyOf(ctx, all)).effective;
}

/** Assets with what they depend on, and the effective decisions on them. */
export interface Survey {
  readonly graph: Graph;
  readonly effective: ReadonlyMap<string, EffectiveDecision>;
  readonly stopOf: StopOf;
}

/** Reads what assets depend on and decides on each of them. */
export async function surveyOf(ctx: ReadContext, all: readonly Asset[]): Promise<Survey> {
  const [stopOf, graph] = await Promise.all([stopsOf(ctx), graphOf(ctx, all)]);
  return { graph, stopOf, effective: new Map(all.map(({ id }) => [id, decide(graph, id, stopOf, ctx.now)])) };
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
  const stop = (await stopsOf(ctx))({ id, assetType }) ?? (id === null ? undefined : "not_found");
  if (stop === undefined) return { decision: "allow", reasons: [], message: null, path: [], asOf: ctx.now };
  return denial([], stop, ctx.now);
}
