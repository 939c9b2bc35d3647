import type { Context } from "../../../kernel/context.js";
import type { Asset } from "../../estate/index.js";
import { type ClosedReason, slaDaysOf } from "../../findings/index.js";
import { exemptionsOver } from "../exemptions/selected.js";
import { policies } from "../policies/schema.js";
import { selectionOf } from "../policies/selectors.js";
import { type Snapshot, snapshotsOfAssets } from "../snapshots/snapshots.js";
import { NOTHING_DONE, type RunCounts, scopeSelector } from "./fields.js";
import type { Judge } from "./judge.js";
import { judgeAsset } from "./judge-asset.js";
import type { PairChange } from "./pair.js";
import { type AssetResults, assetResults } from "./results.js";
import type { EvaluationRun } from "./schema.js";
import { planFindings, storeFindings } from "./settle-findings.js";
import { storeResults } from "./store-results.js";

/** What a part of a run has done. */
export interface PartDone {
  readonly counts: RunCounts;
  readonly errors: EvaluationRun["errors"];
}

/** Lets the policies of a run judge some assets, and stores what that changes in the open transaction. */
export async function judgePart(
  ctx: Context,
  run: EvaluationRun,
  judges: readonly Judge[],
  list: readonly Asset[],
): Promise<PartDone> {
  const alive = list.filter(({ status }) => status !== "retired");
  const snapshots = await snapshotsOfAssets(ctx, alive);
  const { within, errors } = inScope(ctx, run, alive, snapshots);
  const counts: Mutable<RunCounts> = { ...NOTHING_DONE, assets: list.length - alive.length + within.length };
  counts.error = errors.length;
  const rows = await ctx.db.getMany(
    assetResults,
    within.map(({ id }) => id),
  );
  const stored = new Map(rows.map(({ id, value }) => [id, value]));
  const bench = { judges, closing: await closingOf(ctx, judges, [...stored.values()]) };
  const pairs: PairChange[] = [];
  const unchanged = new Map<string, readonly string[]>();
  for (const asset of within) {
    const snapshot = snapshots.get(asset.id);
    if (!snapshot) continue;
    const judged = judgeAsset(run, bench, asset, snapshot, stored.get(asset.id)?.pairs ?? {}, ctx.now);
    unchanged.set(asset.id, judged.unchanged);
    counts.skippedUnchanged += judged.unchanged.length;
    for (const { change, results } of judged.changes) {
      pairs.push(change);
      if (change.after) counts.evaluated += 1;
      for (const { outcome, message } of results) {
        counts[outcome] += 1;
        if (outcome === "error")
          errors.push({ assetId: asset.id, policyKey: change.after?.policyKey ?? null, message });
      }
    }
  }
  counts.pairs = counts.evaluated + counts.skippedUnchanged;
  const exemptions = await exemptionsOver(ctx, snapshots);
  const circumstances = { now: ctx.now, slaDays: slaDaysOf(ctx.env), exemptions };
  const plan = await planFindings(ctx, pairs, circumstances, run.mode === "full");
  if (!run.dryRun) {
    await storeFindings(ctx, plan, run.id);
    await storeResults(ctx, { list: within, stored, pairs, unchanged, standing: plan.standing });
  }
  return { counts: { ...counts, ...plan.counts }, errors };
}

/** The assets that the expression of a run's scope takes in, and where it has no result. */
function inScope(
  ctx: Context,
  { scope }: EvaluationRun,
  list: readonly Asset[],
  snapshots: ReadonlyMap<string, Snapshot>,
): { readonly within: readonly Asset[]; readonly errors: EvaluationRun["errors"] } {
  if (scope.expression === null) return { within: list, errors: [] };
  const { taken, unclear } = selectionOf(ctx, scopeSelector(scope), snapshots);
  const errors = [...unclear].map(([assetId, message]) => ({ assetId, policyKey: null, message: `Scope: ${message}` }));
  return { within: list.filter(({ id }) => taken.has(id)), errors };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Why policies that judged these assets before and do not now judge no more. */
async function closingOf(
  ctx: Context,
  judges: readonly Judge[],
  stored: readonly AssetResults[],
): Promise<(policyId: string) => ClosedReason> {
  const known = new Set(judges.map(({ policy }) => policy.id));
  const others = [...new Set(stored.flatMap(({ pairs }) => Object.keys(pairs)))].filter((id) => !known.has(id));
  const there = new Set((await ctx.db.getMany(policies, others.slice(0, 1_000))).map(({ id }) => id));
  return (policyId) => (there.has(policyId) ? "policy_disabled" : "policy_deleted");
}
