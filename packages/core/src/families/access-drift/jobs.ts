import { accessAssignments, runReconciliationJobs } from "#families/access-grants/index.js";
import { optionsOf } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import { type Due, dueBy } from "#kernel/operation/dues.js";
import { applyDueTimeTransitions } from "#kernel/operation/time-transitions.js";
import { daysMs } from "#ports/durations.js";
import { accessDrift } from "./drift/schema.js";
import { runDriftScanJobs } from "./scans/jobs.js";
import { accessDriftScanRuns } from "./scans/schema.js";
import { runSchedules } from "./schedules/jobs.js";
import { accessSchedules } from "./schedules/schema.js";
import { runSyncJobs } from "./syncs/jobs.js";
import { accessSyncRuns } from "./syncs/schema.js";
import { endUnused, nextUnused } from "./usage/end-unused.js";
import { runUsageJobs } from "./usage/jobs.js";
import { accessUses, usageDays, usageFeeds } from "./usage/schema.js";

const retention = (more: number) => (env: Environment) => {
  const days = optionsOf(env).activityRetentionDays;
  return days === undefined ? undefined : daysMs(days + more);
};

/** When this area has timed work. */
export const accessDriftDues: readonly Due[] = [
  dueBy(usageFeeds, "dueAt"),
  dueBy(accessUses, "at", { after: retention(0) }),
  dueBy(usageDays, "day", { after: retention(1) }),
  { watches: [accessAssignments], next: nextUnused },
  dueBy(accessSchedules, "syncAt"),
  dueBy(accessSchedules, "driftScanAt"),
  dueBy(accessSyncRuns, "dueAt"),
  dueBy(accessDriftScanRuns, "dueAt"),
];

/** Reads what targets have and how it is used, and makes them agree with what was decided. */
export async function runAccessDriftJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  const reopened = await applyDueTimeTransitions(env, accessDrift, tenantId, now);
  const used = await runUsageJobs(env, tenantId);
  const unused = await endUnused(env, tenantId);
  // What is decided is carried out before targets are read, which may take long, and what reading has found after it.
  const carriedOut = await runReconciliationJobs(env, tenantId);
  const begun = await runSchedules(env, tenantId);
  const read = (await runSyncJobs(env, tenantId)) + (await runDriftScanJobs(env, tenantId));
  return reopened + used + unused + carriedOut + begun + read + (await runReconciliationJobs(env, tenantId));
}
