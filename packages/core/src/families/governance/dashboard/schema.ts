import { z } from "zod";
import { Numbers } from "../../../kernel/operation/numbers.js";
import { statesOf } from "../../../kernel/records/machine.js";
import { Time } from "../../../kernel/records/record.js";
import { runStatus } from "../evaluations/machine.js";

const Count = z.int().min(0);

export const DashboardSummary = z
  .object({
    asOf: Time,
    assets: z.object({
      total: Count,
      byType: Numbers,
      byLifecycle: Numbers,
      byGovernanceState: Numbers,
      byRiskTier: Numbers,
      byEnvironment: Numbers,
    }),
    findings: z.object({
      total: Count,
      exact: z
        .boolean()
        .meta({ description: "Whether all findings of the filter were counted; without a filter they are." }),
      byStatus: Numbers,
      bySeverity: Numbers,
      matrix: z.record(z.string(), Numbers).meta({ description: "By status, then by effective severity." }),
      stale: Count.meta({ description: "Their last evaluation failed." }),
      overdue: Count.meta({ description: "Open beyond their due date." }),
    }),
    flow: z.object({
      last7Days: z.object({ opened: Count, reopened: Count, resolved: Count }),
      last30Days: z.object({ opened: Count, reopened: Count, resolved: Count }),
      meanHoursToResolve: z
        .number()
        .nullable()
        .meta({ description: "Of those resolved in the last 30 days; `null` when none was." }),
    }),
    topPolicies: z
      .array(z.object({ policyKey: z.string(), open: Count }))
      .meta({ description: "With most open findings." }),
    topAssets: z
      .array(z.object({ assetId: z.string(), name: z.string(), findings: Count }))
      .meta({ description: "With most findings that stood when they were last evaluated." }),
    exemptions: z.object({
      byStatus: Numbers,
      ending: Count.meta({ description: "Approved, and over later today or on one of the next 30 days, in UTC." }),
    }),
    policies: Numbers.meta({ description: "By status, of both kinds." }),
    lastRun: z
      .object({
        id: z.string(),
        status: z.enum(statesOf(runStatus)),
        startedAt: Time.nullable(),
        finishedAt: Time.nullable(),
      })
      .nullable(),
    dataQuality: z.object({ withoutOwner: Count, withoutEnvironment: Count, unclassified: Count }),
  })
  .meta({ id: "GovernanceDashboard" });
export type DashboardSummary = z.output<typeof DashboardSummary>;
