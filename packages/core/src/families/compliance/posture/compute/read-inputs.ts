import { type Asset, assets } from "#families/estate/index.js";
import { countFindingsBy } from "#families/findings/index.js";
import { assetResults, policies, ruleStandings } from "#families/governance/index.js";
import { boundedSettings } from "#families/platform/index.js";
import { everyRow } from "#kernel/operation/every-page.js";
import { countsNow } from "#kernel/operation/numbers.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { asOf } from "#kernel/records/as-of.js";
import { dayOf, timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { applicability, COUNTED, type EstateNumbers } from "../../frameworks/read/applicability.js";
import { countedFrameworks } from "../../frameworks/read/find.js";
import { type ComplianceRecord, compliance, WHOLE } from "../../records/schema.js";
import type { PostureInputs } from "./inputs.js";
import { findingsOf, numbersOf, recordsOf, standingsOf } from "./read-assets.js";

/** What a posture is about: the state of today as it counts at a moment, of all assets or of some. */
export interface Subject {
  readonly at: string;
  readonly only?: readonly Asset[] | undefined;
}

/** Reads all inputs of a posture. Their size depends on policies, controls and frameworks, not on assets. */
export async function readInputs(ctx: ReadContext, { at, only }: Subject): Promise<PostureInputs> {
  const ask = ctx.env.use(applicability).ask(only ? numbersOf(only) : await estateNumbers(ctx));
  const posture = (await everyRow(ctx.db, policies, { where: { kind: "posture" } })).map((row) => row.value);
  const everywhere = await allStandings(ctx, posture);
  const { standings, unevaluated } = only
    ? await standingsOf(ctx, only, everywhere)
    : { standings: everywhere, unevaluated: await unevaluatedAssets(ctx) };
  const found = only ? await findingsOf(ctx, only, at) : await countFindingsBy(ctx.db, "standing", at);
  const records = only ? await recordsOf(ctx, only, at) : await recordsOfAll(ctx, at);
  return {
    evaluationsSince: evaluationsSince((await boundedSettings(ctx)).evaluationDays, ctx.now),
    unevaluated,
    frameworks: (await countedFrameworks(ctx)).map(({ key, name, edition, version, roles, controls }) => ({
      key,
      name,
      edition,
      version,
      roles,
      controls: controls.map((control) => ({ ...control, applies: ask(control.applicability) })),
    })),
    rules: posture.flatMap(({ key: policyKey, status, severity, selector, rules }) =>
      rules.map((rule) => ({
        policyKey,
        ruleKey: rule.key,
        severity: rule.severity ?? severity,
        evaluated: status === "observe" || status === "active",
        assetTypes: selector.assetTypes,
        controls: rule.controls,
      })),
    ),
    standings: standings.map(({ policyKey, ruleKey, pass, fail, error, skip, evaluatedAt, coveredAt }) => ({
      policyKey,
      ruleKey,
      pass,
      fail,
      error,
      skip,
      evaluatedAt,
      coveredAt,
    })),
    findings: Object.fromEntries([...found].filter(([, count]) => count > 0)),
    records: records.map(recordInput),
  };
}

/**
 * Whether people or rules have assessed anything. Otherwise no posture has a score, and what it takes to compute one
 * need not be read.
 */
export async function isAssessed({ db }: ReadContext): Promise<boolean> {
  const { rows } = await db.find(compliance, { where: { scope: WHOLE }, size: 1 });
  return rows.length > 0 || (await db.find(ruleStandings, { size: 1 })).rows.length > 0;
}

/** The assessments of the organisation, as they count at a moment. */
export async function recordsOfAll(ctx: ReadContext, at: string): Promise<ComplianceRecord[]> {
  return (await everyRow(ctx.db, compliance, { where: { scope: WHOLE } })).map((row) => asOf(compliance, row, at));
}

async function allStandings(ctx: ReadContext, among: readonly { readonly id: string }[]) {
  const known = new Set(among.map(({ id }) => id));
  const rows = await everyRow(ctx.db, ruleStandings, {});
  return rows.map((row) => row.value).filter(({ policyId }) => known.has(policyId));
}

/** Runs that began before it are no evidence any more. A day and no moment, so that inputs stay the same for a day. */
function evaluationsSince(days: number, now: string): string {
  return timestamp(Date.parse(dayOf(now)) - daysMs(days));
}

/** Assets in use that no run of all policies has looked at, by type, from counters. */
async function unevaluatedAssets(ctx: ReadContext): Promise<Record<string, number>> {
  const [census, judged] = await Promise.all([
    countsNow(ctx, assets, "census"),
    countsNow(ctx, assetResults, "judged"),
  ]);
  const left: Record<string, number> = {};
  for (const [cell, count] of census) {
    const [type = "", status] = cell.split(":");
    if (status !== "retired") left[type] = (left[type] ?? 0) + count;
  }
  const counts = Object.entries(left).map(([type, count]) => [type, count - (judged.get(type) ?? 0)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

const recordInput = (record: ComplianceRecord): PostureInputs["records"][number] => ({
  id: record.id,
  version: record.version,
  framework: record.framework,
  controlId: record.controlId,
  status: record.status,
  staleReason: record.staleReason,
  nextReviewAt: record.nextReviewAt,
  evidence: record.evidence
    .filter(({ retiredAt }) => retiredAt === null)
    .map(({ type, collectedAt, validUntil }) => ({ type, collectedAt, validUntil })),
});

/** Counts of assets by field, from counters. */
export async function estateNumbers(ctx: ReadContext): Promise<EstateNumbers> {
  const numbers: Record<string, number | Record<string, number>> = { total: (await ctx.db.count(assets)).count };
  for (const [name, field, values] of COUNTED) {
    const counted = await countsNow(ctx, assets, field);
    numbers[name] = Object.fromEntries(values.map((value) => [value, counted.get(value) ?? 0]));
  }
  return numbers as unknown as EstateNumbers;
}
