import type { Environment } from "#kernel/config/environment.js";
import { type Due, dueBy } from "#kernel/operation/dues.js";
import { dropAged, dueByAge } from "#kernel/operation/retention.js";
import { applyDueTimeTransitions } from "#kernel/operation/time-transitions.js";
import { daysMs } from "#ports/durations.js";
import { containedRecords } from "../estate/index.js";
import { optionsOf } from "../options.js";
import { runAgentToolJobs } from "./agent-tools/jobs.js";
import { agentToolCalls, agentToolKeys, agentToolTokens } from "./agent-tools/schema.js";
import { accessAssignments } from "./assignments/schema.js";
import { runCertificationJobs } from "./certifications/jobs.js";
import { certificationRuns } from "./certifications/schema.js";
import { runDriftScanJobs } from "./drift/scans/jobs.js";
import { accessDriftScanRuns, accessDriftScans } from "./drift/scans/schema.js";
import { accessDrift } from "./drift/schema.js";
import { runLaneJobs } from "./lanes/jobs.js";
import { accessLanes } from "./lanes/schema.js";
import { giveNotices } from "./lifecycle/notices/notices.js";
import { endUnused, nextUnused } from "./lifecycle/unused/unused.js";
import { runRequestJobs } from "./requests/jobs.js";
import { accessRequests } from "./requests/schema.js";
import { runSchedules } from "./schedules/jobs.js";
import { accessSchedules } from "./schedules/schema.js";
import { runSyncJobs } from "./syncs/jobs.js";
import { accessSyncRuns, accessSyncs } from "./syncs/schema.js";
import { runUsageJobs } from "./usage/jobs.js";
import { accessUses, usageDays, usageFeeds } from "./usage/schema.js";

const retention = (more: number) => (env: Environment) => {
  const days = optionsOf(env).activityRetentionDays;
  return days === undefined ? undefined : daysMs(days + more);
};

/** When this area has timed work. */
export const accessDues: readonly Due[] = [
  dueBy(certificationRuns, "dueAt"),
  dueBy(accessRequests, "workAt"),
  dueBy(usageFeeds, "dueAt"),
  dueBy(accessUses, "at", { after: retention(0) }),
  dueBy(usageDays, "day", { after: retention(1) }),
  dueBy(accessUses, "lostAt"),
  dueBy(agentToolCalls, "expiresAt"),
  dueBy(agentToolKeys, "expiresAt", { after: () => daysMs(1) }),
  dueBy(agentToolTokens, "expiresAt", { after: retention(0) }),
  dueBy(accessAssignments, "noticeAt"),
  { watches: [accessAssignments], next: nextUnused },
  { watches: containedRecords },
  dueBy(accessSchedules, "syncAt"),
  dueBy(accessSchedules, "driftScanAt"),
  dueByAge("syncs", accessSyncs, "followedAt"),
  dueByAge("driftScans", accessDriftScans, "followedAt"),
  dueBy(accessSyncRuns, "dueAt"),
  dueBy(accessDriftScanRuns, "dueAt"),
  dueBy(accessLanes, "urgentAt"),
  dueBy(accessLanes, "dueAt"),
];

/** Ends what is over, grants what was approved, reads targets and makes them agree with what was decided. */
export async function runAccessJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  const ended = await applyDueTimeTransitions(env, accessAssignments, tenantId, now);
  const told = await giveNotices(env, tenantId, now);
  const reopened = await applyDueTimeTransitions(env, accessDrift, tenantId, now);
  const certified = await runCertificationJobs(env, tenantId);
  const asked = await runRequestJobs(env, tenantId, now);
  const used = (await runUsageJobs(env, tenantId)) + (await runAgentToolJobs(env, tenantId, now));
  const unused = await endUnused(env, tenantId);
  // What is decided is carried out before targets are read, which may take long, and what reading has found after it.
  const carriedOut = await runLaneJobs(env, tenantId);
  const begun = (await runSchedules(env, tenantId)) + (await dropReadings(env, tenantId));
  const read = (await runSyncJobs(env, tenantId)) + (await runDriftScanJobs(env, tenantId));
  const done = begun + ended + told + unused + reopened + certified + asked + used + read + carriedOut;
  return done + (await runLaneJobs(env, tenantId));
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
