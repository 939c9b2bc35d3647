import type { Asset } from "#families/estate/index.js";
import type { ClosedReason } from "#families/findings/index.js";
import type { PostureResult } from "../../policies/evaluate-policy.js";
import type { Budget } from "../../policies/evaluation-budget.js";
import type { Snapshot } from "../../snapshots/take/snapshots.js";
import type { AssetResults } from "../results/results.js";
import type { EvaluationRun } from "../schema.js";
import { halfOf, type Judge, judge, outcomeCountsOf, preparedOf } from "./judge.js";
import { detectedIn, type PairChange, statusWhenAbsentFrom } from "./pair.js";

/** The compiled policies of a run, and why findings of others are closed. */
export interface Bench {
  readonly judges: readonly Judge[];
  /** Ids of all policies of the run. */
  readonly policyIds: ReadonlySet<string>;
  /** Why findings of a policy outside of this run's are closed. */
  readonly closing: (policyId: string) => ClosedReason;
}

interface AssetJudged {
  readonly changes: readonly { readonly change: PairChange; readonly results: readonly PostureResult[] }[];
  /** Skipped pairs, as policy with the keys of its rules. */
  readonly unchanged: readonly string[];
}

/** Evaluates these policies of a run for one asset. `before`: their last results. */
export async function judgeAsset(
  { mode, scope }: Pick<EvaluationRun, "mode" | "scope">,
  { judges, policyIds, closing }: Bench,
  asset: Asset,
  snapshot: Snapshot,
  before: AssetResults["pairs"],
  now: string,
  budget: Budget,
): Promise<AssetJudged> {
  const [prepared, half] = [preparedOf(snapshot, now), halfOf(snapshot.digest)];
  const changes: { change: PairChange; results: readonly PostureResult[] }[] = [];
  const unchanged: string[] = [];
  const part = (policyId: string, reason: ClosedReason) => {
    const none = { after: undefined, detected: new Map(), statusWhenAbsent: () => "gone" as const };
    changes.push({
      change: { ...none, assetId: asset.id, policyId, before: before[policyId], closing: reason },
      results: [],
    });
  };
  for (const each of judges) {
    if (budget.isDue) await budget.pass();
    const { id: policyId, key: policyKey } = each.policy;
    const verdict = judge(each, half, prepared, before[policyId], mode === "full", budget);
    if (verdict.kind === "unchanged") unchanged.push(policyId);
    else if (verdict.kind === "elsewhere") {
      if (before[policyId]) part(policyId, "out_of_scope");
    } else {
      const { pairKey, results } = verdict;
      const change: PairChange = {
        assetId: asset.id,
        policyId,
        before: before[policyId],
        after: { pairKey, policyKey, at: now, rules: outcomeCountsOf(results) },
        detected: detectedIn(each, asset, snapshot, results, isBaseline(asset, before, policyId)),
        closing: "out_of_scope",
        statusWhenAbsent: statusWhenAbsentFrom(each, results),
      };
      changes.push({ change, results });
    }
  }
  for (const policyId of Object.keys(before)) {
    const isMeant = scope.policyIds.length === 0 || scope.policyIds.includes(policyId);
    if (!policyIds.has(policyId) && isMeant) part(policyId, closing(policyId));
  }
  return { changes, unchanged };
}

/**
 * Whether what a policy finds on an asset was there when the asset was imported with a baseline: it is judged for the
 * first time, or for the first time under this policy and nobody has changed it since the import.
 */
function isBaseline({ baselineAt, updatedAt }: Asset, before: AssetResults["pairs"], policyId: string): boolean {
  if (baselineAt === null || before[policyId]) return false;
  return Object.keys(before).length === 0 || updatedAt === baselineAt;
}
