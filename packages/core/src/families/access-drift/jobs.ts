import { accessAssignments, runReconciliationJobs } from "#families/access-grants/index.js";
import { optionsOf } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import { type Due, dueBy } from "#kernel/operation/dues.js";
import { dropAged, dueByAge } from "#kernel/operation/retention.js";
import { applyDueTimeTransitions } from "#kernel/operation/time-transitions.js";
import { daysMs } from "#ports/durations.js";
import { accessDrift } from "./drift/schema.js";
import { runDriftScanJobs } from "./scans/jobs.js";
import { accessDriftScanRuns, accessDriftScans } from "./scans/schema.js";
import { runSchedules } from "./schedules/jobs.js";
import { accessSchedules } from "./schedules/schema.js";
import { runSyncJobs } from "./syncs/jobs.js";
import { accessSyncRuns, accessSyncs } from "./syncs/schema.js";
import { runUsageJobs } from "./usage/jobs.js";
import { accessUses, usageDays, usageFeeds } from "./usage/schema.js";
import { endUnused, nextUnused } from "./usage/unused/unused.js";

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
  dueByAge("syncs", accessSyncs, "followedAt"),
  dueByAge("driftScans", accessDriftScans, "followedAt"),
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
  const begun = (await runSchedules(env, tenantId)) + (await dropReadings(env, tenantId));
  const read = (await runSyncJobs(env, tenantId)) + (await runDriftScanJobs(env, tenantId));
  return reopened + used + unused + carriedOut + begun + read + (await runReconciliationJobs(env, tenantId));
}

/** Drops syncs and scans, with how far they had come, that are older than they are kept and not the last of a target. */
async function dropReadings(env: Environment, tenantId: string): Promise<number> {
  const syncs = await dropAged(env, tenantId, {
    ...({ kind: "syncs", collection: accessSyncs, by: "followedAt" } as const),
    async also(ctx, { id }) {
      const run = await ctx.db.lookup(accessSyncRuns, "sync", { syncId: id });
      if (run) await ctx.remove(accessSyncRuns, run.value, { event: false });
    },
  });
  const scans = await dropAged(env, tenantId, {
    ...({ kind: "driftScans", collection: accessDriftScans, by: "followedAt" } as const),
    async also(ctx, { id }) {
      const run = await ctx.db.lookup(accessDriftScanRuns, "scan", { scanId: id });
      if (run) await ctx.remove(accessDriftScanRuns, run.value, { event: false });
    },
  });
  return syncs + scans;
}
