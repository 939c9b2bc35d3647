import type { Asset } from "#families/estate/index.js";
import { type ClosedReason, type Detected, fingerprintOf } from "#families/findings/index.js";
import type { PostureResult, Values } from "../../policies/evaluate-policy.js";
import { isRuntime, type PostureRule } from "../../policies/fields.js";
import type { Snapshot } from "../../snapshots/take/snapshots.js";
import type { PairResult } from "../results/results.js";
import { evidenceOf, evidenceOfMany } from "./evidence.js";
import type { Judge } from "./judge.js";

/** A changed result of a pair of policy and asset. */
export interface PairChange {
  readonly assetId: string;
  readonly policyId: string;
  readonly before: PairResult | undefined;
  /**
   * Without the ids of findings, which are known once they are stored. `undefined` when the policy does not apply to
   * the asset any more.
   */
  readonly after: Omit<PairResult, "findingIds"> | undefined;
  /** Detected findings, by fingerprint. */
  readonly detected: ReadonlyMap<string, Detected>;
  /** Why findings are closed when their rule, or all rules, no longer apply. */
  readonly closing: ClosedReason;
  /** The state of an earlier finding that was not detected now: absent, unknown, or gone with its rule. */
  readonly statusWhenAbsent: (finding: {
    readonly ruleKey: string;
    readonly locus: string;
  }) => "absent" | "unknown" | "gone";
}

const NOTHING: ReadonlyMap<string, Detected> = new Map();

/** The findings in the results of a policy on an asset, by fingerprint. Most pairs have none. */
export function detectedIn(
  { policy, compiled }: Judge,
  asset: Asset,
  snapshot: Snapshot,
  results: readonly PostureResult[],
  baseline: boolean,
): ReadonlyMap<string, Detected> {
  if (!results.some(({ outcome }) => outcome === "fail")) return NOTHING;
  const found = new Map<string, Detected>();
  const digests = new Map<string, string[]>();
  for (const { ruleKey, locus, outcome, message, item } of results) {
    if (outcome !== "fail") continue;
    const place = { policyKey: policy.key, ruleKey, assetId: asset.id, locus };
    const fingerprint = fingerprintOf(place);
    const rule = compiled.rules.find((each) => each.rule.key === ruleKey);
    if (!rule || isRuntime(rule.rule)) continue;
    const values: Values = { asset: snapshot.asset, spec: snapshot.spec, ...(item === undefined ? {} : { item }) };
    const { digest, values: shown } = evidenceOf(rule, values);
    const earlier = digests.get(fingerprint);
    if (earlier) {
      earlier.push(digest);
      continue;
    }
    digests.set(fingerprint, [digest]);
    found.set(fingerprint, {
      policyId: policy.id,
      policyKey: policy.key,
      policyRevision: policy.revision,
      ruleKey,
      assetId: asset.id,
      assetName: asset.name,
      locus,
      severity: rule.rule.severity ?? policy.severity,
      // Findings of an observed policy block nothing.
      gate: policy.gate && policy.status === "active",
      category: policy.category,
      title: policy.name,
      message,
      remediation: rule.rule.remediation,
      controls: rule.rule.controls,
      evidence: { snapshotDigest: snapshot.digest, digest, values: shown },
      production: asset.environment === "production",
      highRisk: asset.riskTier === "high" || asset.riskTier === "prohibited",
      baseline,
    });
  }
  // Items with the same locus are one finding, which shows the first and rests on all of them.
  for (const [fingerprint, all] of digests) {
    const one = found.get(fingerprint);
    if (one && all.length > 1)
      found.set(fingerprint, { ...one, evidence: { ...one.evidence, digest: evidenceOfMany(all) } });
  }
  return found;
}

/** Tells the state of an earlier finding that these results do not contain. */
export function statusWhenAbsentFrom(
  { policy }: { readonly policy: { readonly rules: readonly Pick<PostureRule, "key">[] } },
  results: readonly PostureResult[],
): PairChange["statusWhenAbsent"] {
  return ({ ruleKey, locus }) => {
    if (!policy.rules.some(({ key }) => key === ruleKey)) return "gone";
    const isUnknown = results.some(
      (result) =>
        result.outcome === "error" &&
        result.ruleKey === ruleKey &&
        (result.item === undefined || result.locus === locus),
    );
    return isUnknown ? "unknown" : "absent";
  };
}
