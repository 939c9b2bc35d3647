import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { seenAt } from "../../../../kernel/operation/seen-page.js";
import type { Asset } from "../../../estate/index.js";
import { findings, standingOf } from "../../../findings/index.js";
import { assetResults } from "../../../governance/index.js";
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

/** The last results of rules on one asset. */
export async function standingsOf(ctx: ReadContext, assetId: string): Promise<PostureInputs["standings"]> {
  const row = await ctx.db.get(assetResults, assetId);
  return Object.values(row?.value.pairs ?? {}).flatMap(({ policyKey, at, rules }) =>
    Object.entries(rules).map(([ruleKey, counts]) => ({ policyKey, ruleKey, ...counts, evaluatedAt: at })),
  );
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
