import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs, hoursMs } from "#ports/durations.js";
import { isAnomalous } from "../circuit-breaker/rules.js";
import { importStatus } from "./machine.js";
import { digestWith } from "./plan/digest.js";
import { planMissing } from "./plan/missing.js";
import { asksFor, countsWith } from "./rules.js";
import {
  type ConnectorAsset,
  type ConnectorImport,
  connectorAssets,
  connectorImportItems,
  connectorImportRuns,
  connectorImports,
  type ImportRun,
} from "./schema.js";
import { continueRun } from "./step/continue.js";

const CHUNK = 500;

/**
 * Looks for assets of the instance that its complete listing lacks, some at a time, and ends the plan after the last.
 * An incomplete listing says nothing about absence.
 */
export function lookForMissing(ctx: OutsideContext, run: ImportRun): Promise<ImportRun> {
  return ctx.write((inner) =>
    continueRun(inner, run, async (job, lease) => {
      if (!job.complete) return endPlan(inner, job, run, {});
      const { rows, next } = await inner.db.find(connectorAssets, {
        where: { connectorInstanceId: job.connectorInstanceId },
        order: { direction: "asc" },
        size: CHUNK,
        ...(run.cursor === null ? {} : { after: JSON.parse(run.cursor) }),
      });
      // What was brought from another system, or is of a type that was not asked for, is not missing here.
      const isOurs = (link: ConnectorAsset) => link.target === run.target && asksFor(job, link);
      const links = rows.map(({ value }) => value).filter(isOurs);
      const { drafts, known } = await planMissing(inner, job.id, links);
      const lines = await inner.insertMany(connectorImportItems, drafts, { event: false });
      const counts = countsWith(job.counts, lines, 0);
      const counted = await inner.update(connectorImports, job, { counts }, { event: false });
      const more = { digest: await digestWith(run.digest, lines), known: run.known + known };
      if (!next) return endPlan(inner, counted, run, more);
      return inner.update(connectorImportRuns, run, { ...more, cursor: JSON.stringify(next), dueAt: lease });
    }),
  );
}

/** The plan is whole. It waits for a confirmation, or its new assets are imported at once. */
async function endPlan(
  ctx: Context,
  job: ConnectorImport,
  run: ImportRun,
  more: Partial<Pick<ImportRun, "digest" | "known">>,
): Promise<ImportRun> {
  const { counts, mode } = job;
  const found = counts.create + counts.update + counts.link + counts.unchanged + counts.conflict;
  const { known, digest } = { ...run, ...more };
  const missing = counts.retire;
  const recent = missing > 0 ? await retiredLately(ctx, job) : 0;
  const anomaly = isAnomalous({ found, missing, known, recent }) ? { missing, known, recent } : null;
  const ended = { planHash: digest, anomaly };
  if (mode === "create") {
    await ctx.transition(
      connectorImports,
      importStatus,
      job,
      { event: "preselect" },
      { triggeredBy: "system", patch: ended },
    );
    return ctx.update(connectorImportRuns, run, {
      ...more,
      phase: "applying",
      cursor: null,
      selection: "create_only",
      dueAt: ctx.now,
    });
  }
  const expiresAt = timestamp(ctx.request.nowMs + daysMs(1));
  const patch = { ...ended, expiresAt };
  await ctx.transition(connectorImports, importStatus, job, { event: "plan" }, { triggeredBy: "system", patch });
  return ctx.update(connectorImportRuns, run, { ...more, phase: "applying", cursor: null, dueAt: null });
}

/** The most imports of an instance that are looked at for what they have retired. */
const LATEST = 200;

/** How many assets imports of the instance have retired within the last hour, so that small ones add up. */
async function retiredLately(ctx: Context, { connectorInstanceId }: ConnectorImport): Promise<number> {
  const since = timestamp(ctx.request.nowMs - hoursMs(1));
  // A plan waits up to a day for its confirmation.
  const range = { from: timestamp(ctx.request.nowMs - hoursMs(1) - daysMs(1)) };
  const { rows } = await ctx.db.find(connectorImports, { where: { connectorInstanceId }, range, size: LATEST });
  const lately = rows.filter(({ value: { confirmedAt } }) => confirmedAt !== null && confirmedAt >= since);
  if (lately.length === 0) return 0;
  const keys = lately.map(({ id: importId }) => ({ importId }));
  const runs = await ctx.db.lookupMany(connectorImportRuns, "import", keys);
  return runs.reduce((sum, run) => sum + (run?.value.retired ?? 0), 0);
}
