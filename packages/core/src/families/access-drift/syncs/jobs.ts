import type { ConnectorError } from "#connectors/index.js";
import { runSteps, type SteppedWork } from "#families/connectors/index.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { LEASE } from "./continue-sync.js";
import { accessSyncStatus } from "./machine.js";
import { accessSyncRuns, accessSyncs, type SyncRun } from "./schema.js";
import { nextStep } from "./step-sync.js";

const work: SteppedWork<SyncRun> = { label: "sync", runs: accessSyncRuns, lease: LEASE, begin, step: nextStep, fail };

/** Goes on with syncs of a tenant that are due. One process works on each. Returns how many steps were made. */
export const runSyncJobs = (env: Environment, tenantId: string): Promise<number> => runSteps(env, tenantId, work);

async function begin(ctx: Context, { syncId }: SyncRun): Promise<boolean> {
  return (await ctx.db.get(accessSyncs, syncId))?.value.status === "running";
}

async function fail(ctx: Context, { syncId }: SyncRun, failure: ConnectorError): Promise<void> {
  const sync = await ctx.getOrThrow(accessSyncs, syncId);
  if (sync.status !== "running") return;
  const { errorClass, code = null, message } = failure;
  const patch = { failure: { errorClass, code, message }, endedAt: ctx.now };
  const options = { triggeredBy: "system", reason: message, patch } as const;
  await ctx.transition(accessSyncs, accessSyncStatus, sync, { event: "fail" }, options);
}
