import { assets } from "#families/estate/index.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { selectorFaults } from "../../policies/compile/selectors.js";
import { policies } from "../../policies/schema.js";
import { EVERYTHING, NOTHING_DONE, type RUN_TRIGGERS, type RunScope, scopeSelector } from "../fields.js";
import { type EvaluationRun, evaluationRuns, runWork } from "../schema.js";

type Trigger = (typeof RUN_TRIGGERS)[number];
type Wanted = Partial<
  Pick<EvaluationRun, "name" | "metadata" | "mode" | "dryRun" | "scope" | "configuration" | "attributes">
>;

const NAMES: Readonly<Record<Trigger, string>> = {
  manual: "Evaluation",
  schedule: "Scheduled evaluation",
  change: "Evaluation of changed policies",
  request: "Evaluation of claimed fixes",
};

/** A run before its start. */
export function newRun(ctx: Context, trigger: Trigger, wanted: Wanted = {}): EvaluationRun {
  const { id, version, ...marks } = ctx.stamp(evaluationRuns);
  const { scope = EVERYTHING } = wanted;
  return {
    id,
    name: wanted.name ?? NAMES[trigger],
    status: "queued",
    version,
    metadata: wanted.metadata ?? {},
    ...marks,
    trigger,
    policySetDigest: null,
    engine: null,
    startedAt: null,
    finishedAt: null,
    progress: { done: 0, total: 0 },
    counts: NOTHING_DONE,
    errors: [],
    mode: wanted.mode ?? "incremental",
    dryRun: wanted.dryRun ?? false,
    scope: { ...scope, assetIds: [...new Set(scope.assetIds)] },
    configuration: wanted.configuration ?? {},
    attributes: wanted.attributes ?? {},
  };
}

/** Queues a stored run for workers. */
export async function awaitWorker(ctx: Context, { id }: EvaluationRun): Promise<void> {
  await ctx.insert(runWork, { id, cursor: null, claimedBy: null, claimExpiresAt: null, attempts: 0 });
}

/** Stores and queues a run that no person requested. Its start has its first event. */
export async function queueRun(ctx: Context, trigger: Trigger, wanted: Wanted): Promise<void> {
  const run = newRun(ctx, trigger, wanted);
  await ctx.insert(evaluationRuns, run, { event: false });
  await awaitWorker(ctx, run);
}

/**
 * 400 unless the expression of a scope compiles, its assets and policies exist in the tenant, and its policies are
 * posture policies.
 */
export async function checkScope(ctx: Context, scope: RunScope): Promise<void> {
  const faults = selectorFaults(ctx.env, scopeSelector(scope));
  if (faults.length > 0) {
    const errors = faults.map((fault) => ({ ...fault, pointer: "/scope/expression" }));
    throw new ReeveError("invalid_request", "The expression of the scope has faults.", { errors });
  }
  const { assetIds, policyIds } = scope;
  const [knownAssets, knownPolicies] = await Promise.all([
    ctx.db.getMany(assets, assetIds),
    ctx.db.getMany(policies, policyIds),
  ]);
  const there = new Set(knownAssets.map(({ id }) => id));
  for (const row of knownPolicies) if (row.value.kind === "posture") there.add(row.id);
  const check = (ids: readonly string[], pointer: string, what: string) => {
    const at = ids.findIndex((id) => !there.has(id));
    if (at >= 0) throw invalidProperty(`${pointer}/${at}`, `There is no such ${what}.`, "invalid_reference");
  };
  check(assetIds, "/scope/assetIds", "asset");
  check(policyIds, "/scope/policyIds", "governance policy");
}
