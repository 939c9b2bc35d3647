import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import type { Collection } from "../../../../kernel/records/collection.js";
import type { StoredRecord } from "../../../../store/collection.js";
import type { FindQuery } from "../../../../store/store.js";
import { assets } from "../../../estate/index.js";
import { countFindingsBy } from "../../../findings/index.js";
import { policies, ruleStandings } from "../../../governance/index.js";
import { applicability, COUNTED, type EstateNumbers } from "../../frameworks/read/applicability.js";
import { allFrameworks } from "../../frameworks/read/find.js";
import { type ComplianceRecord, compliance, WHOLE } from "../../records/schema.js";
import type { PostureInputs } from "./inputs.js";

const BATCH = 1_000;

/** Reads all inputs of a tenant's posture. Their size depends on policies, controls and frameworks, not on assets. */
export async function readInputs(ctx: ReadContext): Promise<PostureInputs> {
  const ask = ctx.env.use(applicability).ask(await estateNumbers(ctx));
  const posture = await every(ctx, policies, { kind: "posture" });
  const known = new Set(posture.map(({ id }) => id));
  const standings = (await every(ctx, ruleStandings)).filter(({ policyId }) => known.has(policyId));
  const found = await countFindingsBy(ctx.db, "standing", ctx.now);
  const records = await every(ctx, compliance, { scope: WHOLE });
  return {
    frameworks: (await allFrameworks(ctx)).map(({ key, name, edition, version, controls }) => ({
      key,
      name,
      edition,
      version,
      controls: controls.map((control) => ({ ...control, applies: ask(control.applicability) })),
    })),
    rules: posture.flatMap(({ key: policyKey, status, severity, rules }) =>
      rules.map((rule) => ({
        policyKey,
        ruleKey: rule.key,
        severity: rule.severity ?? severity,
        evaluated: status === "observe" || status === "active",
        controls: rule.controls,
      })),
    ),
    standings: standings.map(({ policyKey, ruleKey, pass, fail, error, skip, evaluatedAt }) => ({
      policyKey,
      ruleKey,
      pass,
      fail,
      error,
      skip,
      evaluatedAt,
    })),
    findings: Object.fromEntries([...found].filter(([, count]) => count > 0)),
    records: records.map((record) => recordInput(readNow(record, ctx.now))),
  };
}

/** All matching records, in pages of a thousand. */
async function every<R extends StoredRecord>(
  ctx: ReadContext,
  collection: Collection<R>,
  where: FindQuery["where"] = {},
): Promise<R[]> {
  const all: R[] = [];
  let after: FindQuery["after"];
  do {
    const found = await ctx.db.find(collection, { where, size: BATCH, ...(after ? { after } : {}) });
    all.push(...found.rows.map((row) => row.value));
    after = found.next;
  } while (after);
  return all;
}

/** A record as of a moment. */
function readNow(record: ComplianceRecord, now: string): ComplianceRecord {
  const { staleAt, derive } = compliance;
  return derive && (staleAt?.(record) ?? "~") <= now ? derive(record, now) : record;
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
    const counted = await ctx.db.countBy(assets, field);
    numbers[name] = Object.fromEntries(values.map((value) => [value, counted.get(value) ?? 0]));
  }
  return numbers as unknown as EstateNumbers;
}
