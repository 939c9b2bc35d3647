import { everyRow } from "../../../kernel/operation/every-page.js";
import { oncePerRequest } from "../../../kernel/operation/numbers.js";
import type { ReadContext } from "../../../kernel/operation/read-context.js";
import { dueRecords, seenAt } from "../../../kernel/operation/seen-records.js";
import { fieldValue } from "../../../store/collection.js";
import type { Position } from "../../../store/find-query.js";
import type { Reader } from "../../../store/store.js";
import type { Finding } from "./fields.js";
import { findings } from "./schema.js";
import { isOpen } from "./terms/vocabulary.js";

/** Calls `visit` with each finding that time has changed and no job has stored: as stored, and as it is now. */
async function forEachChanged(
  reader: Reader,
  now: string,
  visit: (stored: Finding, seen: Finding) => void,
): Promise<void> {
  let after: Position | undefined;
  do {
    const found = await dueRecords(reader, findings, { by: "nextChangeAt", after }, now);
    for (const { stored, seen } of found.turned) visit(stored, seen);
    after = found.next;
  } while (after);
}

/** The findings that block an asset from production at a moment: open ones of gates. */
export async function blockingFindings(reader: Reader, assetId: string, now: string): Promise<Finding[]> {
  const rows = await everyRow(reader, findings, { where: { assetId, gate: true } });
  return rows.map((row) => seenAt(findings, row, now)).filter(({ status }) => isOpen(status));
}

/**
 * How many findings have each value of a counted field at a moment: the counters, corrected by what time has changed
 * since.
 */
export async function countFindingsBy(
  reader: Reader,
  field: "status" | "standing" | "grid" | "stale" | "slaBreached",
  now: string,
): Promise<Map<string, number>> {
  const counts = new Map(await reader.countBy(findings, field));
  const read = (finding: Finding) => String(fieldValue(findings, finding, field));
  const add = (value: string, by: number) => counts.set(value, (counts.get(value) ?? 0) + by);
  await forEachChanged(reader, now, (stored, seen) => {
    add(read(stored), -1);
    add(read(seen), 1);
  });
  return counts;
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
