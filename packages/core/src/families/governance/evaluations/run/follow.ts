import { type Asset, assets } from "#families/estate/index.js";
import { changeFindings, closedBecause, type Finding, findings } from "#families/findings/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { type Policy, policies } from "../../policies/schema.js";
import { EVERYTHING } from "../fields.js";
import { markUncovered } from "../results/coverage.js";
import { assetResults } from "../results/results.js";
import { dropResults } from "../results/store-results.js";
import { evaluationRuns } from "../schema.js";
import { closeFindingsOf } from "./close.js";
import { queueRun } from "./start.js";

const MOST_POLICIES = 200;

/**
 * Closes the findings of a policy that goes out of force, and queues a run over all assets when a policy's results may
 * change. At most one such run waits, and it covers later changes too.
 */
export const followPolicies = defineFollower<Policy>(policies, async (ctx, { before, after }) => {
  const { id, kind } = (after ?? before) as Policy;
  if (kind !== "posture" || standingOf(before) === standingOf(after)) return;
  if (after && standingOf(after) === "") await closeFindingsOf(ctx, id);
  if (before && after && before.digest !== after.digest) await markUncovered(ctx, before);
  const { rows } = await ctx.db.find(evaluationRuns, { where: { trigger: "change" }, size: 1 });
  const waiting = rows[0]?.value;
  if (waiting?.status !== "queued") {
    await queueRun(ctx, "change", { scope: { ...EVERYTHING, policyIds: [id] } });
    return;
  }
  const { policyIds } = waiting.scope;
  if (policyIds.length === 0 || policyIds.includes(id)) return;
  const joined = policyIds.length < MOST_POLICIES ? [...policyIds, id] : [];
  const scope = { ...EVERYTHING, policyIds: joined };
  await ctx.update(evaluationRuns, waiting, { scope }, { event: false, stamp: false });
});

/** Everything that a policy's findings depend on. Empty for policies that are not evaluated. */
function standingOf(policy: Policy | undefined): string {
  if (!policy || (policy.status !== "observe" && policy.status !== "active")) return "";
  const { digest, status, name, severity, category, gate, rules } = policy;
  return JSON.stringify([digest, status, name, severity, category, gate, rules]);
}

/** Closes the findings of an asset that is retired or deleted, in the same transaction. */
export const followAssets = defineFollower<Asset>(assets, async (ctx, { before, after }) => {
  if (before && after && before.assetType !== after.assetType) await recount(ctx, after);
  const isGone = before !== undefined && before.status !== "retired" && (!after || after.status === "retired");
  const isDeleted = before !== undefined && !after;
  if (!isGone && !isDeleted) return;
  const assetId = before.id;
  const dropped = await dropResults(ctx, assetId);
  if (!dropped) return;
  const ids = [...new Set(Object.values(dropped.pairs).flatMap(({ findingIds }) => findingIds))];
  const reason = after ? "asset_retired" : "asset_deleted";
  await inChunks(ids, async (some) => {
    const rows = await ctx.db.getMany<Finding>(findings, some);
    return changeFindings(
      ctx,
      rows.map(({ value }) => ({ before: value, patch: closedBecause(value, reason, ctx) })),
    );
  });
});

/** Counts the results of an asset under its new type. */
async function recount(ctx: Context, { id, assetType }: Asset): Promise<void> {
  const row = await ctx.db.get(assetResults, id);
  if (row) await ctx.update(assetResults, row.value, { assetType });
}
