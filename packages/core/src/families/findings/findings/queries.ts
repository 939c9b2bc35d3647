import { type Counts, countsAt } from "#kernel/operation/counts.js";
import { everyRow } from "#kernel/operation/every-page.js";
import { oncePerRequest } from "#kernel/operation/numbers.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { asOf } from "#kernel/records/as-of.js";
import type { Reader } from "#store/store.js";
import type { Finding } from "./fields.js";
import { isOpen } from "./finding-terms.js";
import { findings } from "./schema.js";

/** The findings that block an asset from production at a moment: open ones of gates. */
export async function blockingFindings(reader: Reader, assetId: string, now: string): Promise<Finding[]> {
  const rows = await everyRow(reader, findings, { where: { assetId, gate: true } });
  return rows.map((row) => asOf(findings, row, now)).filter(({ status }) => isOpen(status));
}

/** How many findings have each value of a counted field at a moment. */
export function countFindingsBy(
  reader: Reader,
  field: "status" | "standing" | "gridWithBaseline" | "stale" | "slaBreached",
  now: string,
): Promise<Counts> {
  return countsAt(reader, findings, field, now);
}

/** The findings of one status and severity, in or out of the baseline. */
export interface FindingCell {
  readonly status: string;
  readonly severity: string;
  readonly baseline: boolean;
  readonly count: number;
}

/** The numbers of all findings at a moment, by what a cell has. */
export async function findingCells(ctx: ReadContext): Promise<readonly FindingCell[]> {
  return oncePerRequest(ctx, "findings by cell", async () => {
    const counts = await countFindingsBy(ctx.db, "gridWithBaseline", ctx.now);
    return [...counts].map(([cell, count]) => {
      const [status = "", severity = "", baseline] = cell.split(":");
      return { status, severity, baseline: baseline === "true", count };
    });
  });
}

/** The number of open findings at a moment, by effective severity. */
export async function openBySeverity(ctx: ReadContext): Promise<Record<string, number>> {
  return bySeverity(await findingCells(ctx));
}

/** The number of open findings at a moment that are not of the baseline, by effective severity. */
export async function openBesideBaseline(ctx: ReadContext): Promise<Record<string, number>> {
  return bySeverity((await findingCells(ctx)).filter(({ baseline }) => !baseline));
}

/** How many findings are of the baseline at a moment. */
export async function baselineCount(ctx: ReadContext): Promise<number> {
  return (await findingCells(ctx)).reduce((sum, { baseline, count }) => sum + (baseline ? count : 0), 0);
}

function bySeverity(cells: readonly FindingCell[]): Record<string, number> {
  const open: Record<string, number> = {};
  for (const { status, severity, count } of cells)
    if (count > 0 && isOpen(status as Finding["status"])) open[severity] = (open[severity] ?? 0) + count;
  return open;
}
