import { inChunks } from "#kernel/async/in-chunks.js";
import type { Context } from "#kernel/operation/context.js";
import { type Policy, policies, UNMATCHED } from "../../policies/schema.js";
import type { EvaluationRun } from "../schema.js";
import { type RuleStanding, ruleStandings } from "./standings.js";

const NO_RESULTS = { pass: 0, fail: 0, error: 0, skip: 0 };

/** Whether a run asks all assets, and stores what comes of it. */
export function coversAll({ dryRun, scope }: Pick<EvaluationRun, "dryRun" | "scope">): boolean {
  const { assetIds, assetTypes, environments, expression } = scope;
  return !dryRun && assetIds.length + assetTypes.length + environments.length === 0 && expression === null;
}

/**
 * Notes that all assets were asked by these policies in a run that began at `at`, and which of them were asked of none.
 * Rules without results get a row, and those with results are evaluated as of `at` at least, because assets in which
 * nothing had changed were passed over.
 */
export async function markCovered(ctx: Context, covering: readonly Policy[], at: string): Promise<void> {
  const rows = await rowsOf(ctx, covering);
  const matched = new Set(rows.flatMap(({ policyId, row }) => (row && hasResults(row.value) ? [policyId] : [])));
  for (const policy of covering) {
    const unmatchedRuns = matched.has(policy.id) ? 0 : Math.min(policy.unmatchedRuns + 1, UNMATCHED);
    await ctx.update(policies, policy, { unmatchedRuns }, { event: false, copy: true });
  }
  for (const { policyId, policyKey, ruleKey, row } of rows) {
    if (row) {
      const { evaluatedAt: last } = row.value;
      const evaluatedAt = hasResults(row.value) && at > last ? at : last;
      await ctx.update(ruleStandings, row.value, { coveredAt: at, evaluatedAt });
    } else {
      const rule = { policyId, policyKey, ruleKey, ...NO_RESULTS };
      await ctx.insert(ruleStandings, { ...rule, evaluatedAt: ctx.now, coveredAt: at });
    }
  }
}

/** Notes that no run has asked all assets by the rules of a policy, because they have changed. */
export async function markUncovered(ctx: Context, policy: Policy): Promise<void> {
  for (const { row } of await rowsOf(ctx, [policy]))
    if (row && row.value.coveredAt !== null) await ctx.update(ruleStandings, row.value, { coveredAt: null });
}

const hasResults = ({ pass, fail, error, skip }: RuleStanding) => pass + fail + error + skip > 0;

async function rowsOf(ctx: Context, asking: readonly Policy[]) {
  const rules = asking.flatMap(({ id, key, rules }) =>
    rules.map((rule) => ({ policyId: id, policyKey: key, ruleKey: rule.key })),
  );
  const rows = await inChunks(rules, (some) => {
    const keys = some.map(({ policyId, ruleKey }) => ({ policyId, ruleKey }));
    return ctx.db.lookupMany(ruleStandings, "rule", keys);
  });
  return rules.map((rule, place) => ({ ...rule, row: rows[place] }));
}
