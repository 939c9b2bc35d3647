import type { Environment } from "../../kernel/config/environment.js";
import { applyDueTimeTransitions } from "../../kernel/operation/time-transitions.js";
import { runAgentToolJobs } from "./agent-tools/jobs.js";
import { accessAssignments } from "./assignments/schema.js";
import { runCertificationJobs } from "./certifications/jobs.js";
import { runDriftScanJobs } from "./drift/scans/jobs.js";
import { accessDrift } from "./drift/schema.js";
import { runLaneJobs } from "./lanes/jobs.js";
import { giveNotices } from "./lifecycle/notices/notices.js";
import { endUnused } from "./lifecycle/unused/unused.js";
import { runRequestJobs } from "./requests/jobs.js";
import { runSyncJobs } from "./syncs/jobs.js";
import { runUsageJobs } from "./usage/jobs.js";

/** Ends what is over, grants what was approved, reads targets and makes them agree with what was decided. */
export async function runAccessJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  const ended = await applyDueTimeTransitions(env, accessAssignments, tenantId, now);
  const told = await giveNotices(env, tenantId, now);
  const reopened = await applyDueTimeTransitions(env, accessDrift, tenantId, now);
  const certified = await runCertificationJobs(env, tenantId);
  const asked = await runRequestJobs(env, tenantId, now);
  const used = (await runUsageJobs(env, tenantId)) + (await runAgentToolJobs(env, tenantId, now));
  const unused = await endUnused(env, tenantId);
  const read = (await runSyncJobs(env, tenantId)) + (await runDriftScanJobs(env, tenantId));
  return ended + told + unused + reopened + certified + asked + used + read + (await runLaneJobs(env, tenantId));
}
