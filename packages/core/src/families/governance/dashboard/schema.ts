import { Numbers } from "#kernel/operation/numbers.js";
import { statesOf } from "#kernel/records/machine.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { runStatus } from "../evaluations/machine.js";

const Count = z.int().min(0);

export const DashboardSummary = z
  .object({
    asOf: Time.meta({ description: "The moment it is about." }),
    assets: z
      .object({
        total: Count.meta({ description: "All of them." }),
        byType: Numbers.meta({ description: "Number of assets by `assetType`." }),
        byLifecycle: Numbers.meta({ description: "Numbers of records by `status`." }),
        byGovernanceState: Numbers.meta({ description: "Number of assets by `governanceState`." }),
        byRiskTier: Numbers.meta({ description: "Number of assets by `riskTier`." }),
        byEnvironment: Numbers.meta({ description: "Number of assets by `environment`." }),
      })
      .meta({ description: "Numbers of assets." }),
    findings: z
      .object({
        total: Count.meta({ description: "All of them." }),
        exact: z
          .boolean()
          .meta({ description: "Whether all findings of the filter were counted; without a filter they are." }),
        byStatus: Numbers.meta({ description: "Numbers of records by `status`." }),
        bySeverity: Numbers.meta({ description: "By effective severity." }),
        matrix: z.record(z.string(), Numbers).meta({ description: "By status, then by effective severity." }),
        stale: Count.meta({ description: "Their last evaluation failed." }),
        overdue: Count.meta({ description: "Open beyond their due date." }),
        baseline: Count.meta({ description: "Brought along by imported assets, and undecided since." }),
      })
      .meta({ description: "Numbers of findings." }),
    flow: z
      .object({
        last7Days: z
          .object({
            opened: Count.meta({ description: "Found for the first time." }),
            reopened: Count.meta({ description: "Findings that were resolved and came back." }),
            resolved: Count.meta({ description: "Findings that were resolved." }),
          })
          .meta({ description: "The last seven days." }),
        last30Days: z
          .object({
            opened: Count.meta({ description: "Found for the first time." }),
            reopened: Count.meta({ description: "Findings that were resolved and came back." }),
            resolved: Count.meta({ description: "Findings that were resolved." }),
          })
          .meta({ description: "The last thirty days." }),
        meanHoursToResolve: z
          .number()
          .nullable()
          .meta({ description: "Of those resolved in the last 30 days; `null` when none was." }),
      })
      .meta({ description: "How findings come and go." }),
    topPolicies: z
      .array(
        z.object({
          policyKey: z.string().meta({ description: "Key of the policy." }),
          open: Count.meta({ description: "Its open findings." }),
        }),
      )
      .meta({ description: "With most open findings." }),
    topAssets: z
      .array(
        z.object({
          assetId: z.string().meta({ description: "Id of the asset." }),
          name: z.string().meta({ description: "Name of the asset." }),
          findings: Count.meta({ description: "Number of its open findings." }),
        }),
      )
      .meta({ description: "With most findings that stood when they were last evaluated." }),
    exemptions: z
      .object({
        byStatus: Numbers.meta({ description: "Numbers of records by `status`." }),
        ending: Count.meta({ description: "Approved, and over later today or on one of the next 30 days, in UTC." }),
      })
      .meta({ description: "Numbers of exemptions." }),
    policies: Numbers.meta({ description: "By status, of both kinds." }),
    lastRun: z
      .object({
        id: z.string().meta({ description: "Id of the run." }),
        status: z.enum(statesOf(runStatus)).meta({ description: "How far the run is." }),
        startedAt: Time.nullable().meta({ description: "When it began." }),
        finishedAt: Time.nullable().meta({ description: "When it ended." }),
      })
      .nullable()
      .meta({ description: "The newest run; `null` without one." }),
    dataQuality: z
      .object({
        withoutOwner: Count.meta({ description: "Assets without an owner." }),
        withoutEnvironment: Count.meta({ description: "Assets without an environment." }),
        unclassified: Count.meta({ description: "Assets without a tier of risk." }),
      })
      .meta({ description: "Assets that lack data." }),
  })
  .meta({ id: "GovernanceDashboard" });
export type DashboardSummary = z.output<typeof DashboardSummary>;
