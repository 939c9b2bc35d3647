import type { ConnectorError } from "#connectors/index.js";
import { runSteps, type SteppedWork } from "#families/connectors/index.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { LEASE } from "./continue-scan.js";
import { driftScanStatus } from "./machine.js";
import { accessDriftScanRuns, accessDriftScans, type DriftScanRun } from "./schema.js";
import { nextStep } from "./step-scan.js";

const work: SteppedWork<DriftScanRun> = {
  ...{ label: "drift", runs: accessDriftScanRuns, lease: LEASE },
  ...{ begin, step: nextStep, fail },
};

/** Goes on with scans of a tenant that are due. One process works on each. Returns how many steps were made. */
export const runDriftScanJobs = (env: Environment, tenantId: string): Promise<number> => runSteps(env, tenantId, work);

async function begin(ctx: Context, { scanId }: DriftScanRun): Promise<boolean> {
  return (await ctx.db.get(accessDriftScans, scanId))?.value.status === "running";
}

async function fail(ctx: Context, { scanId }: DriftScanRun, failure: ConnectorError): Promise<void> {
  const scan = await ctx.getOrThrow(accessDriftScans, scanId);
  if (scan.status !== "running") return;
  const { errorClass, code = null, message } = failure;
  const patch = { failure: { errorClass, code, message }, endedAt: ctx.now };
  const options = { triggeredBy: "system", reason: message, patch } as const;
  await ctx.transition(accessDriftScans, driftScanStatus, scan, { event: "fail" }, options);
}
