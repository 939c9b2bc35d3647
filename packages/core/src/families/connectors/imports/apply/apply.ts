import { platformGates } from "#families/platform/index.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Principal } from "#kernel/config/principal.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { processContext, processFacts } from "#kernel/operation/system-context.js";
import { commitBatch } from "#kernel/pipeline/batch/commit.js";
import { prepareItems } from "#kernel/pipeline/batch/prepare.js";
import type { Refused } from "#kernel/pipeline/batch/work.js";
import { importStatus } from "../machine.js";
import { isSelected } from "../rules.js";
import {
  type ConnectorImport,
  connectorImportItems,
  connectorImportRuns,
  connectorImports,
  type ImportItemRecord,
  type ImportRun,
} from "../schema.js";
import { continueRun } from "../step/continue.js";
import { applyWork, type Origin } from "./work.js";

/** Lines of one transaction. Other writes of the tenant wait while it lasts. */
const CHUNK = 200;

/** Whose rights count, and where the assets come from. */
export interface Applying {
  readonly principal: Principal;
  readonly origin: Origin;
}

/**
 * Carries out some lines of a confirmed plan in the name of who confirmed it. Each line keeps its own result, so that a
 * line that was done before a crash is not done again.
 */
export async function applyLines(
  ctx: OutsideContext,
  run: ImportRun,
  { principal, origin }: Applying,
): Promise<ImportRun> {
  const { rows, next } = await ctx.db.find(connectorImportItems, {
    where: { importId: run.importId },
    order: { direction: "asc" },
    size: CHUNK,
    ...(run.cursor === null ? {} : { after: JSON.parse(run.cursor) }),
  });
  const lines = rows.map(({ value }) => value).filter((line) => isSelected(run, line));
  const refused = await apply(ctx.env, { principal, origin }, run, lines);
  return ctx.write((inner) =>
    continueRun(inner, run, async (job, lease) => {
      const failed = await keepFailures(inner, refused);
      const done = lines.length - failed;
      const counts = { done: job.done + done, failed: job.failed + failed };
      const counted = await inner.update(connectorImports, job, counts, { event: false });
      const refusedIds = new Set(refused.map(({ line }) => line.id));
      const ended = lines.filter(({ id, action }) => action === "retire" && !refusedIds.has(id));
      const retired = run.retired + ended.length;
      if (next) return inner.update(connectorImportRuns, run, { retired, cursor: JSON.stringify(next), dueAt: lease });
      await endImport(inner, counted);
      return inner.update(connectorImportRuns, run, { retired, cursor: null, dueAt: null });
    }),
  );
}

/** What could not be done, with its line. */
interface RefusedLine {
  readonly line: ImportItemRecord;
  readonly error: Refused["error"];
}

async function apply(
  env: Environment,
  { principal, origin }: Applying,
  run: ImportRun,
  lines: readonly ImportItemRecord[],
): Promise<RefusedLine[]> {
  const tenant = await env.use(platformGates).tenant(principal.tenantId);
  const facts = processFacts(env, "import", { tenant });
  const work = applyWork(processContext(env, principal, facts), run, origin);
  const open = lines.filter(({ result }) => result === null);
  const prepared = await prepareItems(
    work,
    open.map((input, index) => ({ index, input })),
  );
  const { outcomes, waiting } = await commitBatch({ env, principal, facts }, work, prepared.items);
  const refused = [...prepared.refused, ...waiting, ...outcomes.flatMap((one) => (one.error ? [one] : []))];
  return refused.map(({ index, error }) => ({ line: open[index] as ImportItemRecord, error }));
}

async function keepFailures(ctx: Context, refused: readonly RefusedLine[]): Promise<number> {
  if (refused.length > 0)
    await ctx.db.getMany(
      connectorImportItems,
      refused.map(({ line }) => line.id),
    );
  for (const { line, error } of refused) {
    const held = await ctx.getOrThrow(connectorImportItems, line.id);
    const failure = { code: error.code, message: error.message };
    await ctx.update(connectorImportItems, held, { result: "failed", error: failure }, { event: false });
  }
  return refused.length;
}

/** Every line has its result. */
export async function endImport(ctx: Context, job: ConnectorImport): Promise<void> {
  const event = job.failed > 0 ? "stop" : "complete";
  await ctx.transition(
    connectorImports,
    importStatus,
    job,
    { event },
    { triggeredBy: "system", patch: { endedAt: ctx.now } },
  );
}
