import { boundedCache } from "#kernel/async/bounded-cache.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { canonical } from "#kernel/events/canonical.js";
import { sha256 } from "#store/chain.js";
import { EventLoopYielder } from "#store/event-loop.js";
import { type CompiledPolicy, compilePolicy, engineOf } from "../../policies/compile/compile.js";
import { evaluatePosture, type PostureResult, Prepared } from "../../policies/evaluate-policy.js";
import type { Budget } from "../../policies/evaluation-budget.js";
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
  /** The policy's half of the keys of its pairs. */
  readonly half: string;
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

  /** Compiling takes turns, because all policies of a tenant may be new to this process. */
  async of(policies: readonly Policy[]): Promise<Judge[]> {
    const [yielder, judges] = [new EventLoopYielder(), [] as Judge[]];
    for (const policy of policies) {
      if (yielder.isDue) await yielder.pass();
      const { id, digest, status, name, severity, category, gate } = policy;
      const key = sha256(canonical([id, digest, this.engine, status, name, severity, category, gate]));
      const known = this.#known.get(key);
      // What results do not rest on may be another by now, such as the revision.
      const judge = known ? { ...known, policy } : this.#judge(policy, key);
      if (!known) this.#known.set(key, judge);
      judges.push(judge);
    }
    return judges;
  }

  #judge(policy: Policy, digest: string): Judge {
    const { compiled, faults } = compilePolicy(this.env, policy);
    const [fault] = faults;
    return {
      policy,
      compiled,
      digest,
      half: halfOf(digest),
      broken: fault && `${fault.pointer}: ${fault.message}`,
    };
  }
}

/** The compiled posture policies of all tenants, shared by runs and promotions. */
export const judgesService = defineService("governance.judges", (env) => new Judges(env));

/**
 * Half of the key of a pair: 128 bits of the digest of what is on one side of it. Halves are joined and not hashed again,
 * because a run compares the keys of all pairs.
 */
export function halfOf(digest: string): string {
  return Buffer.from(digest.slice(0, 32), "hex").toString("base64url");
}

/** The digest of a set of policies, with their rules and states. */
export function policySetDigest(judges: readonly Judge[]): string {
  const parts = judges.map(({ policy: { id, digest, status } }) => [id, digest, status]).sort();
  return sha256(canonical(parts));
}

/** What rules read of an asset, converted once for all policies of its type. */
export function preparedOf({ asset, spec }: Snapshot, now: string): Prepared {
  return new Prepared({ asset, ...(spec ? { spec } : {}), params: {}, now });
}

/**
 * Evaluates a policy for an asset, unless the pair is unchanged. `assetHalf` is the asset's half of its key. What went
 * without its part of the budget gets no key, because its result hangs on other policies.
 */
export function judge(
  { policy, compiled, half, broken }: Judge,
  assetHalf: string,
  prepared: Prepared,
  before: PairResult | undefined,
  full: boolean,
  budget: Budget,
): Verdict {
  const pairKey = assetHalf + half;
  if (!full && !compiled.readsTime && before?.pairKey === pairKey) return { kind: "unchanged" };
  if (broken !== undefined) {
    const results = policy.rules.map(
      ({ key }) => ({ ruleKey: key, locus: "", outcome: "error", message: broken }) as const,
    );
    return { kind: "judged", pairKey, results };
  }
  const values = hasParams(policy) ? prepared.with({ params: policy.params }) : prepared;
  const inForce = policy.status === "active";
  const results = budget.spend(inForce, (allowance) => evaluatePosture(compiled, values, allowance));
  if (!results) return { kind: "elsewhere" };
  return { kind: "judged", pairKey: budget.isSpent(inForce) ? "" : pairKey, results };
}

const hasParams = ({ params }: Policy) => Object.keys(params).length > 0;

/** The counts of outcomes by rule. Items with the same locus count as one, because they are one finding. */
export function outcomeCountsOf(results: readonly PostureResult[]): Record<string, OutcomeCounts> {
  const counts: Record<string, OutcomeCounts> = {};
  const hasItems = results.some(({ item }) => item !== undefined);
  for (const { ruleKey, outcome } of hasItems ? gravestByLocus(results) : results) {
    const known = counts[ruleKey] ?? { pass: 0, fail: 0, error: 0, skip: 0 };
    known[outcome] += 1;
    counts[ruleKey] = known;
  }
  return counts;
}

const GRAVEST: readonly PostureResult["outcome"][] = ["fail", "error", "pass", "skip"];

/** One result for each rule and locus: the gravest. */
function gravestByLocus(results: readonly PostureResult[]): Iterable<PostureResult> {
  const kept = new Map<string, PostureResult>();
  for (const result of results) {
    const place = JSON.stringify([result.ruleKey, result.locus]);
    const known = kept.get(place);
    if (!known || GRAVEST.indexOf(result.outcome) < GRAVEST.indexOf(known.outcome)) kept.set(place, result);
  }
  return kept.values();
}
