import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { instances } from "../instances/schema.js";
import type { readConfirmation } from "./confirm-body.js";
import { importStatus } from "./machine.js";
import { type ConnectorImport, connectorImportItems, connectorImportRuns, connectorImports } from "./schema.js";

/** Whether a plan has been confirmed already. */
const CONFIRMED: ReadonlySet<ConnectorImport["status"]> = new Set(["importing", "completed", "partially_completed"]);

/**
 * Confirms exactly the plan that was seen. A second confirmation of it, by whomever, changes nothing. 409
 * `plan_changed` for another plan, or where the instance was configured anew since.
 */
export async function confirmImport(
  ctx: Context,
  job: ConnectorImport,
  given: ReturnType<typeof readConfirmation>,
): Promise<ConnectorImport> {
  const { planHash, selection, merge, exclude, allowRetire, acceptAnomaly, reason, free } = given;
  if (planHash === undefined) throw invalidProperty("/planHash", "It is required: name the plan that you have seen.");
  const differs = job.planHash !== null && planHash !== job.planHash;
  if (differs) throw new ReeveError("plan_changed", "This is not the plan of the import. Look at it again.");
  if (CONFIRMED.has(job.status) && job.confirmedBy !== null) return job;
  const run = (await ctx.db.lookup(connectorImportRuns, "import", { importId: job.id }))?.value;
  const instance = (await ctx.db.get(instances, job.connectorInstanceId))?.value;
  if (!run || instance?.configurationVersion !== run.configurationVersion)
    throw new ReeveError("plan_changed", "The instance was configured anew since. Import again.");
  if (allowRetire && job.anomaly && !acceptAnomaly)
    throw new ReeveError("anomaly_pending", "More is missing than is plausible. Look at the target first.");
  await mergeConflicts(ctx, job, merge);
  const said = Object.fromEntries(Object.entries(free).filter(([, value]) => value !== undefined));
  const patch = { ...said, confirmedBy: ctx.principal.userId, confirmedAt: ctx.now };
  const confirmed = await ctx.transition(connectorImports, importStatus, job, { to: "importing" }, { reason, patch });
  const chosen = { selection: typeof selection === "string" ? selection : [...selection], exclude: [...exclude] };
  await ctx.update(connectorImportRuns, run, { ...chosen, allowRetire, cursor: null, dueAt: ctx.now });
  return confirmed;
}

/** Keeps which assets conflicts are. 400 for what is no conflict of the import, or none of its candidates. */
async function mergeConflicts(
  ctx: Context,
  { id }: ConnectorImport,
  merge: Readonly<Record<string, string>>,
): Promise<void> {
  const ids = Object.keys(merge);
  if (ids.length === 0) return;
  const items = new Map((await ctx.db.getMany(connectorImportItems, ids)).map(({ value }) => [value.id, value]));
  for (const [itemId, assetId] of Object.entries(merge)) {
    const item = items.get(itemId);
    if (item?.importId !== id || !item.candidates.includes(assetId))
      throw invalidProperty(`/merge/${itemId}`, "Name a conflict of this import, and one of its candidates.");
    await ctx.update(connectorImportItems, item, { assetId }, { event: false });
  }
}
