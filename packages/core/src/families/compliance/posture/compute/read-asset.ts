import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { seenAt } from "../../../../kernel/operation/seen-page.js";
import type { Asset } from "../../../estate/index.js";
import { findings, standingOf } from "../../../findings/index.js";
import { assetResults, type RuleStanding } from "../../../governance/index.js";
import { COUNTED, type EstateNumbers } from "../../frameworks/read/applicability.js";
import { every } from "./every.js";
import type { PostureInputs } from "./inputs.js";

/** The numbers of an estate that is this asset alone, so that expressions over the estate also judge one asset. */
export function numbersOf(asset: Asset): EstateNumbers {
  const counted = COUNTED.map(([name, field, values]) => [
    name,
    Object.fromEntries(values.map((value) => [value, asset[field] === value ? 1 : 0])),
  ]);
  return { total: 1, ...Object.fromEntries(counted) };
}

const NO_RESULTS = { pass: 0, fail: 0, error: 0, skip: 0 };

/** The last results of rules on one asset. They are as old as the last run over all assets. */
export async function standingsOf(
  ctx: ReadContext,
  assetId: string,
  all: readonly RuleStanding[],
): Promise<PostureInputs["standings"]> {
  const pairs = (await ctx.db.get(assetResults, assetId))?.value.pairs ?? {};
  return all.map(({ policyId, policyKey, ruleKey, evaluatedAt, coveredAt }) => {
    const pair = pairs[policyId];
    const counts = pair?.rules[ruleKey] ?? NO_RESULTS;
    return { policyKey, ruleKey, ...counts, evaluatedAt: pair?.at ?? evaluatedAt, coveredAt };
  });
}

/** The asset by its type, unless a run of all policies has looked at it. */
export async function unevaluatedOf(
  ctx: ReadContext,
  { id, assetType, status }: Asset,
): Promise<PostureInputs["unevaluated"]> {
  const row = await ctx.db.get(assetResults, id);
  return row?.value.complete || status === "retired" ? {} : { [assetType]: 1 };
}

/** Counts of the findings of one asset at a moment, by `<policyKey>/<ruleKey>:<status>`. */
export async function findingsOf(ctx: ReadContext, assetId: string, at: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const row of await every(ctx, findings, { assetId })) {
    const standing = standingOf(seenAt(findings, row, at));
    counts.set(standing, (counts.get(standing) ?? 0) + 1);
  }
  return counts;
}
