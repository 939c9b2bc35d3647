import { assets } from "#families/estate/index.js";
import { countsOfDays, FINDING_STATUSES, SEVERITIES } from "#families/findings/index.js";
import { numbersOf } from "#kernel/operation/numbers.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageQuery } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { sideOf } from "#kernel/operation/sides.js";
import { z } from "#schema/z.js";
import type { Where } from "#store/find-query.js";
import { assetResults } from "../evaluations/results/results.js";
import { evaluationRuns } from "../evaluations/schema.js";
import { countEnding } from "../exemptions/end-exemption.js";
import { exemptions } from "../exemptions/schema.js";
import { policies } from "../policies/schema.js";
import { allFindings, filteredFindings, topPolicies } from "./queries.js";
import { DashboardSummary } from "./schema.js";

const { page, size } = pageQuery;
/** Exemptions that end within this many days are counted. */
const ENDING_DAYS = 30;
/** The default length of the lists of policies and assets. */
const TOP = 5;

export const readDashboard = defineOperation({
  id: "aiGovernance.dashboard",
  method: "GET",
  path: "/api/v1/ai-governance/dashboard/summary",
  tag: "AI Governance",
  summary: "Sum up assets, findings, exemptions, policies and evaluations",
  description:
    "From counters and bounded lists, at the moment of `asOf`. `status`, `severity`, `policyId` and `assetId` narrow the block `findings`; `size` is that of the top lists.",
  access: { permission: "ai-finding:read", capability: "ai_governance" },
  query: z.strictObject({
    page,
    size,
    status: z.enum(FINDING_STATUSES).optional().meta({ description: "Status of the findings." }),
    severity: z.enum(SEVERITIES).optional().meta({ description: "Severity of the findings." }),
    policyId: z.string().max(200).optional().meta({ description: "Id of the policy." }),
    assetId: z.string().max(200).optional().meta({ description: "By id of the asset or of its record." }),
  }),
  success: { status: 200, schema: DashboardSummary },
  async handler(ctx, { query: { page: _, size: top = TOP, assetId, ...others } }): Promise<DashboardSummary> {
    const filters = { ...others, assetId: assetId && (await sideOf(ctx, assets, assetId)) };
    const where = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as Where;
    const narrowed = Object.keys(where).length > 0;
    const ofAssets = await assetNumbers(ctx);
    return {
      asOf: ctx.now,
      ...ofAssets,
      findings: narrowed ? await filteredFindings(ctx, where) : await allFindings(ctx),
      flow: await flow(ctx),
      topPolicies: await topPolicies(ctx, Math.min(top, 100)),
      topAssets: await topAssets(ctx, Math.min(top, 100)),
      exemptions: { byStatus: await numbersOf(ctx, exemptions, "status"), ending: await countEnding(ctx, ENDING_DAYS) },
      policies: await numbersOf(ctx, policies, "status"),
      lastRun: await lastRun(ctx),
    };
  },
});

async function assetNumbers(ctx: ReadContext): Promise<Pick<DashboardSummary, "assets" | "dataQuality">> {
  const of = (field: string) => numbersOf(ctx, assets, field);
  const [byType, byLifecycle, byGovernanceState, byRiskTier, byEnvironment, owned] = await Promise.all([
    of("assetType"),
    of("status"),
    of("governanceState"),
    of("riskTier"),
    of("environment"),
    of("owned"),
  ]);
  const total = Object.values(byType).reduce((sum, count) => sum + count, 0);
  return {
    assets: { total, byType, byLifecycle, byGovernanceState, byRiskTier, byEnvironment },
    dataQuality: {
      withoutOwner: total - (owned.true ?? 0),
      withoutEnvironment: byEnvironment.unknown ?? 0,
      unclassified: byRiskTier.unclassified ?? 0,
    },
  };
}

async function flow(ctx: ReadContext): Promise<DashboardSummary["flow"]> {
  const [week, month] = await Promise.all([countsOfDays(ctx, 7), countsOfDays(ctx, 30)]);
  const { hoursOpen: _w, ...last7Days } = week;
  const { hoursOpen, ...last30Days } = month;
  const mean = month.resolved === 0 ? null : Math.round((hoursOpen / month.resolved) * 10) / 10;
  return { last7Days, last30Days, meanHoursToResolve: mean };
}

async function topAssets(ctx: ReadContext, most: number): Promise<DashboardSummary["topAssets"]> {
  const { rows } = await ctx.db.find(assetResults, { order: { by: "findings", direction: "desc" }, size: most });
  const names = new Map(
    (
      await ctx.db.getMany(
        assets,
        rows.map(({ id }) => id),
      )
    ).map(({ id, value }) => [id, value.name]),
  );
  return rows
    .map(({ id, value: { pairs } }) => ({
      assetId: id,
      name: names.get(id) ?? "",
      findings: Object.values(pairs).reduce((sum, { findingIds }) => sum + findingIds.length, 0),
    }))
    .filter(({ findings }) => findings > 0);
}

async function lastRun(ctx: ReadContext): Promise<DashboardSummary["lastRun"]> {
  const { rows } = await ctx.db.find(evaluationRuns, { size: 1 });
  const run = rows[0]?.value;
  return run ? { id: run.id, status: run.status, startedAt: run.startedAt, finishedAt: run.finishedAt } : null;
}
