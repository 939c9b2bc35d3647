import type { ConnectorError } from "#connectors/index.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { runSteps, type SteppedWork } from "../steps/run-step.js";
import { importStatus } from "./machine.js";
import { connectorImportRuns, connectorImports, type ImportRun } from "./schema.js";
import { LEASE } from "./step/continue.js";
import { nextStep } from "./step/step.js";

const work: SteppedWork<ImportRun> = {
  label: "import",
  runs: connectorImportRuns,
  lease: LEASE,
  begin,
  step: nextStep,
  fail,
};

/** Goes on with imports of a tenant that are due. One process works on each. Returns how many steps were made. */
export const runImportJobs = (env: Environment, tenantId: string): Promise<number> => runSteps(env, tenantId, work);

async function begin(ctx: Context, { importId }: ImportRun): Promise<boolean> {
  const job = (await ctx.db.get(connectorImports, importId))?.value;
  if (job?.status === "queued") {
    const options = { triggeredBy: "system", patch: { startedAt: ctx.now } } as const;
    await ctx.transition(connectorImports, importStatus, job, { event: "start" }, options);
  }
  return job?.status === "queued" || job?.status === "discovering" || job?.status === "importing";
}

async function fail(ctx: Context, { importId }: ImportRun, failure: ConnectorError): Promise<void> {
  const job = await ctx.getOrThrow(connectorImports, importId);
  if (job.status !== "discovering" && job.status !== "importing") return;
  const { errorClass, code = null, message } = failure;
  const patch = { failure: { errorClass, code, message }, endedAt: ctx.now };
  const event = job.status === "importing" ? "stop" : "fail";
  const options = { triggeredBy: "system", reason: message, patch } as const;
  await ctx.transition(connectorImports, importStatus, job, { event }, options);
}
