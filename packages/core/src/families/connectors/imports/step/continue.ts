import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { type ConnectorImport, connectorImportRuns, connectorImports, type ImportRun } from "../schema.js";
import { requireInstance } from "./instance.js";

/** How long a process reserves an import between two writes, in milliseconds. It is longer than a call may take. */
export const LEASE = 120_000;

/**
 * The import of a run, if this process still holds it. Rejects with `concurrent_modification` when another one has taken
 * over, or when somebody has cancelled the import, and with `instance_gone` when somebody has deleted its instance.
 */
export async function requireHeld(ctx: Context, run: ImportRun): Promise<ConnectorImport> {
  const held = await ctx.db.get(connectorImportRuns, run.id);
  const job = await ctx.getOrThrow(connectorImports, run.importId);
  const goesOn = job.status === "discovering" || job.status === "importing";
  if (held?.value.version !== run.version || !goesOn) throw new ReeveError("concurrent_modification");
  await requireInstance(ctx, job.connectorInstanceId);
  return job;
}

/** Does the next write of an import within its transaction. Rejects as `requireHeld` does. */
export async function continueRun(
  ctx: Context,
  run: ImportRun,
  step: (job: ConnectorImport, lease: string) => Promise<ImportRun>,
): Promise<ImportRun> {
  const job = await requireHeld(ctx, run);
  return step(job, timestamp(ctx.request.nowMs + LEASE));
}
