import type { Scored } from "#families/estate/index.js";
import type { Context } from "#kernel/operation/context.js";
import { isSame } from "#kernel/records/is-same.js";
import type { Candidate } from "../judge/candidate.js";
import type { PairChange } from "../judge/pair.js";
import { dropMark, evaluationMarks, type MarkBasis, type Marked, storeMarks } from "./marks.js";
import { type AssetResults, assetResults, type PairResult } from "./results.js";
import { StandingChanges } from "./standings.js";

interface ToStore {
  readonly list: readonly Candidate[];
  /** Whether all policies have looked at these assets. */
  readonly complete: boolean;
  readonly stored: ReadonlyMap<string, AssetResults>;
  readonly pairs: readonly PairChange[];
  /** Ids of the policies whose results are unchanged, by asset. */
  readonly unchanged: ReadonlyMap<string, readonly string[]>;
  /** Ids of the present findings of each pair. */
  readonly standing: ReadonlyMap<PairChange, string[]>;
  /** What all results of an asset rest on now. `undefined` when that is not one state. */
  readonly basisOf: (candidate: Candidate) => MarkBasis | undefined;
  /** Ids of the policies whose results time alone cannot change. */
  readonly lasting: readonly string[];
}

/**
 * Stores the last results of assets and updates the rule counts, within the transaction. Returns the scores of those
 * that all policies have looked at.
 */
export async function storeResults(ctx: Context, to: ToStore): Promise<Map<string, Scored>> {
  const { list, stored, pairs, unchanged, standing } = to;
  const standings = new StandingChanges();
  const byAsset = new Map<string, PairChange[]>(list.map(({ id }) => [id, []]));
  for (const pair of pairs) byAsset.get(pair.assetId)?.push(pair);
  const scores = new Map<string, Scored>();
  const marked = new Map<string, Marked>();
  const news: Omit<AssetResults, "version" | "createdAt">[] = [];
  for (const candidate of list) {
    const { id, assetType } = candidate;
    const before = stored.get(id);
    const next = { ...before?.pairs };
    const complete = to.complete || before?.complete === true;
    let isNews = before?.complete !== complete || before.assetType !== assetType;
    for (const policyId of unchanged.get(id) ?? []) standings.add(policyId, next[policyId], next[policyId]);
    for (const pair of byAsset.get(id) ?? []) {
      const after = pair.after && resultOf(pair.after, standing.get(pair) ?? []);
      standings.add(pair.policyId, pair.before, after);
      isNews ||= differ(pair.before, after);
      if (after) next[pair.policyId] = after;
      else delete next[pair.policyId];
    }
    if (complete) scores.set(id, { score: scoreOf(Object.values(next)) });
    if (!before) news.push({ id, assetType, complete, pairs: next });
    else if (isNews) await ctx.update(assetResults, before, { assetType, complete, pairs: next });
    const basis = to.basisOf(candidate);
    if (basis) marked.set(id, { ...basis, pairs: to.lasting.filter((policyId) => policyId in next).length });
    else if (isNews) marked.set(id, null);
  }
  await ctx.insertMany(assetResults, news);
  await storeMarks(ctx, list, marked);
  await standings.store(ctx);
  return scores;
}

/** Written out, because a run makes one for each pair, and a spread costs several times as much. */
function resultOf(
  { pairKey, policyKey, at, rules }: NonNullable<PairChange["after"]>,
  findingIds: string[],
): PairResult {
  return { pairKey, policyKey, at, rules, findingIds };
}

/** Rules that pass, in percent of those with a result or an error. Rounded down to a tenth, so that only all are 100. */
function scoreOf(pairs: readonly PairResult[]): number | null {
  let [asked, passed] = [0, 0];
  for (const { rules } of pairs) {
    for (const { pass, fail, error } of Object.values(rules)) {
      if (pass + fail + error > 0) asked += 1;
      if (pass > 0 && fail + error === 0) passed += 1;
    }
  }
  return asked === 0 ? null : Math.floor((1_000 * passed) / asked) / 10;
}

/** Whether the results differ in more than their time. */
function differ(before: PairResult | undefined, after: PairResult | undefined): boolean {
  if (before?.pairKey !== after?.pairKey) return true;
  return !isSame(before?.rules, after?.rules) || !isSame(before?.findingIds, after?.findingIds);
}

/** Takes from the results of a policy on at most 1,000 assets what they rest on, so that no run takes them for unchanged. */
export async function outdateResults(ctx: Context, policyId: string, assetIds: readonly string[]): Promise<void> {
  const [rows, marks] = await Promise.all([
    ctx.db.getMany(assetResults, assetIds),
    ctx.db.getMany(evaluationMarks, assetIds),
  ]);
  for (const { value } of rows) {
    const pair = value.pairs[policyId];
    if (!pair || pair.pairKey === "") continue;
    await ctx.update(assetResults, value, { pairs: { ...value.pairs, [policyId]: { ...pair, pairKey: "" } } });
  }
  for (const { value } of marks) await ctx.remove(evaluationMarks, value);
}

/** Deletes and returns all results of an asset that is not evaluated any more. */
export async function dropResults(ctx: Context, assetId: string): Promise<AssetResults | undefined> {
  const row = await ctx.db.get(assetResults, assetId);
  if (!row) return undefined;
  const standings = new StandingChanges();
  for (const [policyId, before] of Object.entries(row.value.pairs)) standings.add(policyId, before, undefined);
  await ctx.remove(assetResults, row.value);
  await dropMark(ctx, assetId);
  await standings.store(ctx);
  return row.value;
}
