import { boundedCache } from "../../../../kernel/async/bounded-cache.js";
import type { Environment } from "../../../../kernel/config/environment.js";
import { canonical } from "../../../../kernel/events/canonical.js";
import { sha256 } from "../../../../kernel/events/chain.js";
import { type CompiledPolicy, compilePolicy, engineOf } from "../../policies/compile/compile.js";
import { evaluatePosture, type PostureResult, type Prepared } from "../../policies/evaluate/evaluate.js";
import type { Policy } from "../../policies/schema.js";
import type { Snapshot } from "../../snapshots/take/snapshots.js";
import type { OutcomeCounts, PairResult } from "../results/results.js";

/** A policy compiled for assets. */
export interface Judge {
  readonly policy: Policy;
  readonly compiled: CompiledPolicy;
  /**
   * Digest of everything about the policy and its engine that affects findings. With the snapshot's digest it is the
   * pair's key.
   */
  readonly digest: string;
  /** Why its rules have no results: the stored policy does not compile in this version of the engine. */
  readonly broken: string | undefined;
}

/** The outcome of a pair of policy and asset: unchanged, not applicable, or results. */
export type Verdict =
  | { readonly kind: "unchanged" }
  | { readonly kind: "elsewhere" }
  | { readonly kind: "judged"; readonly pairKey: string; readonly results: readonly PostureResult[] };

/** The most compiled policies that are kept. */
const KEPT = 2_000;

/** Compiles policies, each once until its digest changes. */
export class Judges {
  readonly #known = boundedCache<string, Judge>(KEPT);
  readonly engine: string;

  constructor(private readonly env: Environment) {
    this.engine = engineOf(env).id;
  }

  of(policies: readonly Policy[]): Judge[] {
    return policies.map((policy) => {
      const { id, digest, status, name, severity, category, gate } = policy;
      const key = sha256(canonical([id, digest, this.engine, status, name, severity, category, gate]));
      const judge = this.#known.get(key) ?? this.#judge(policy, key);
      this.#known.set(key, judge);
      return judge;
    });
  }

  #judge(policy: Policy, digest: string): Judge {
    const { compiled, faults } = compilePolicy(this.env, policy);
    const [fault] = faults;
    return { policy, compiled, digest, broken: fault && `${fault.pointer}: ${fault.message}` };
  }
}

/** The digest of a set of policies, with their rules and states. */
export function policySetDigest(judges: readonly Judge[]): string {
  const parts = judges.map(({ policy: { id, digest, status } }) => [id, digest, status]).sort();
  return sha256(canonical(parts));
}

/** Evaluates a policy for an asset, unless the pair is unchanged. */
export function judge(
  { policy, compiled, digest, broken }: Judge,
  snapshot: Snapshot,
  prepared: Prepared,
  before: PairResult | undefined,
  full: boolean,
): Verdict {
  const pairKey = sha256(`${snapshot.digest} ${digest}`).slice(0, 32);
  if (!full && !compiled.readsTime && before?.pairKey === pairKey) return { kind: "unchanged" };
  if (broken !== undefined) {
    const results = policy.rules.map(
      ({ key }) => ({ ruleKey: key, locus: "", outcome: "error", message: broken }) as const,
    );
    return { kind: "judged", pairKey, results };
  }
  const results = evaluatePosture(compiled, prepared.with({ params: policy.params }));
  return results ? { kind: "judged", pairKey, results } : { kind: "elsewhere" };
}

/** The counts of outcomes by rule. */
export function outcomeCountsOf(results: readonly PostureResult[]): Record<string, OutcomeCounts> {
  const counts: Record<string, OutcomeCounts> = {};
  for (const { ruleKey, outcome } of results) {
    const known = counts[ruleKey] ?? { pass: 0, fail: 0, error: 0, skip: 0 };
    counts[ruleKey] = { ...known, [outcome]: known[outcome] + 1 };
  }
  return counts;
}
