import type { Context } from "../../../kernel/context.js";
import { invalidProperty } from "../../../kernel/errors.js";
import { assets } from "../../estate/index.js";
import { policies } from "../policies/schema.js";
import { EVERYTHING, NOTHING_DONE, type RUN_TRIGGERS, type RunScope } from "./fields.js";
import { type EvaluationRun, evaluationRuns, runWork } from "./schema.js";

type Wanted = Partial<
  Pick<EvaluationRun, "name" | "metadata" | "mode" | "dryRun" | "scope" | "configuration" | "attributes">
>;

/** Stores a run that waits for a worker, in the open transaction. */
export async function queueRun(
  ctx: Context,
  trigger: (typeof RUN_TRIGGERS)[number],
  { name, metadata = {}, mode = "incremental", dryRun = false, ...rest }: Wanted = {},
): Promise<EvaluationRun> {
  const { id, version, ...marks } = ctx.stamp(evaluationRuns);
  const run = await ctx.insert(evaluationRuns, {
    id,
    name: name ?? `evaluation-${id.slice(-8).toLowerCase()}`,
    status: "queued",
    version,
    metadata,
    ...marks,
    trigger,
    policySetDigest: null,
    engine: null,
    startedAt: null,
    finishedAt: null,
    progress: { done: 0, total: 0 },
    counts: NOTHING_DONE,
    errors: [],
    mode,
    dryRun,
    scope: rest.scope ?? EVERYTHING,
    configuration: rest.configuration ?? {},
    attributes: rest.attributes ?? {},
  });
  const work = { cursor: null, claimedBy: null, claimExpiresAt: null, attempts: 0 };
  await ctx.tx.insert(runWork, { id, version: 1, createdAt: ctx.now, ...work });
  return run;
}

/** 400 unless all assets and policies of a scope are the tenant's, and the policies such as judge assets. */
export async function checkScope(ctx: Context, { assetIds, policyIds }: RunScope): Promise<void> {
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
