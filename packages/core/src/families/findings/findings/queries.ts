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
  field: "status" | "standing" | "grid" | "baseline" | "baselineSeverity" | "stale" | "slaBreached",
  now: string,
): Promise<Counts> {
  return countsAt(reader, findings, field, now);
}

/** The number of open findings at a moment, by effective severity. */
export function openBySeverity(ctx: ReadContext): Promise<Record<string, number>> {
  return oncePerRequest(ctx, "findings by severity", async () => {
    const open: Record<string, number> = {};
    for (const [cell, count] of await countFindingsBy(ctx.db, "grid", ctx.now)) {
      const [status, severity = ""] = cell.split(":");
      if (count > 0 && isOpen(status as Finding["status"])) open[severity] = (open[severity] ?? 0) + count;
    }
    return open;
  });
}

/** The number of open findings at a moment that are not of the baseline, by effective severity. */
export async function openBesideBaseline(ctx: ReadContext): Promise<Record<string, number>> {
  const [open, baseline] = await Promise.all([
    openBySeverity(ctx),
    countFindingsBy(ctx.db, "baselineSeverity", ctx.now),
  ]);
  return Object.fromEntries(
    Object.entries(open).map(([severity, count]) => [severity, count - (baseline.get(severity) ?? 0)]),
  );
}
