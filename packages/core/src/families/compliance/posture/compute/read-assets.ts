import { type Asset, assets, LIFECYCLE } from "#families/estate/index.js";
import { findings, standingOf } from "#families/findings/index.js";
import { assetResults, type RuleStanding } from "#families/governance/index.js";
import { everyRow } from "#kernel/operation/every-page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { asOf } from "#kernel/records/as-of.js";
import { COUNTED, type EstateNumbers } from "../../frameworks/read/applicability.js";
import { type ComplianceRecord, compliance } from "../../records/schema.js";
import type { ComplianceStatus } from "../../records/workflow-states.js";
import type { PostureInputs } from "./inputs.js";

/** The most assets that a posture of some can be about: one query reads them. */
export const MOST_ASSETS = 200;

const IN_USE = LIFECYCLE.filter((status) => status !== "retired");

/** The assets in use that have a label. `undefined` when more than `MOST_ASSETS` have it. */
export async function assetsLabelled(ctx: ReadContext, label: string): Promise<Asset[] | undefined> {
  const { rows, next } = await ctx.db.find(assets, { where: { labels: label, status: IN_USE }, size: MOST_ASSETS });
  return next ? undefined : rows.map((row) => ctx.derived(assets, row));
}

/** The numbers of an estate that is these assets alone, so that expressions over the estate also judge some assets. */
export function numbersOf(list: readonly Asset[]): EstateNumbers {
  const counted = COUNTED.map(([name, field, values]) => [
    name,
    Object.fromEntries(values.map((value) => [value, list.filter((asset) => asset[field] === value).length])),
  ]);
  return { total: list.length, ...Object.fromEntries(counted) };
}

const NO_RESULTS = { pass: 0, fail: 0, error: 0, skip: 0 };

/** The last results of rules on some assets, summed. They are as old as the last run over all assets. */
export async function standingsOf(
  ctx: ReadContext,
  list: readonly Asset[],
  all: readonly RuleStanding[],
): Promise<Pick<PostureInputs, "standings" | "unevaluated">> {
  const rows = await ctx.db.getMany(assetResults, idsOf(list));
  const results = new Map(rows.map(({ id, value }) => [id, value]));
  const standings = all.map(({ policyId, policyKey, ruleKey, evaluatedAt, coveredAt }) => {
    const pairs = [...results.values()].flatMap(({ pairs }) => pairs[policyId] ?? []);
    const sum = { ...NO_RESULTS };
    for (const pair of pairs) {
      const counts = pair.rules[ruleKey] ?? NO_RESULTS;
      for (const outcome of OUTCOMES) sum[outcome] += counts[outcome];
    }
    const oldest = pairs.map(({ at }) => at).sort()[0] ?? evaluatedAt;
    // The last run over all assets passed over those in which nothing had changed.
    const confirmed = coveredAt !== null && coveredAt > oldest ? coveredAt : oldest;
    return { policyKey, ruleKey, ...sum, evaluatedAt: confirmed, coveredAt };
  });
  const unevaluated: Record<string, number> = {};
  for (const { id, assetType, status } of list)
    if (!results.get(id)?.complete && status !== "retired") unevaluated[assetType] = (unevaluated[assetType] ?? 0) + 1;
  return { standings, unevaluated };
}

const OUTCOMES = ["pass", "fail", "error", "skip"] as const;
const idsOf = (list: readonly Asset[]) => list.map(({ id }) => id);

/** The assessments of some assets, control by control. */
export async function recordsOf(ctx: ReadContext, list: readonly Asset[], at: string): Promise<ComplianceRecord[]> {
  const rows = await everyRow(ctx.db, compliance, { where: { scope: idsOf(list) } });
  const byControl = new Map<string, ComplianceRecord[]>();
  for (const row of rows) {
    const record = asOf(compliance, row, at);
    const key = `${record.framework}:${record.controlId}`;
    byControl.set(key, [...(byControl.get(key) ?? []), record]);
  }
  return [...byControl.values()].flatMap((records) => lowest(records, list.length) ?? []);
}

/** From the lowest. */
const RANK: readonly ComplianceStatus[] = ["not_assessed", "non_compliant", "exempted", "partial", "compliant"];

/**
 * The assessment that counts for all: the lowest of those that apply. None where an asset has not been assessed, because
 * nothing is known of it.
 */
export function lowest(records: readonly ComplianceRecord[], assetCount: number): ComplianceRecord | undefined {
  if (records.length < assetCount) return undefined;
  const applying = records.filter(({ status }) => status !== "not_applicable");
  const among = applying.length === 0 ? records : applying;
  return [...among].sort(
    (one, other) => RANK.indexOf(one.status) - RANK.indexOf(other.status) || (one.id < other.id ? -1 : 1),
  )[0];
}

/** Counts of the findings of some assets at a moment, by `<policyKey>/<ruleKey>:<status>`. */
export async function findingsOf(ctx: ReadContext, list: readonly Asset[], at: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const row of await everyRow(ctx.db, findings, { where: { assetId: idsOf(list) } })) {
    const standing = standingOf(asOf(findings, row, at));
    counts.set(standing, (counts.get(standing) ?? 0) + 1);
  }
  return counts;
}
