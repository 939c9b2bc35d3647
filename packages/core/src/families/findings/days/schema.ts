import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { dayOf, timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import { SEVERITIES, type Severity } from "../findings/finding-terms.js";

const Counts = { opened: z.int(), reopened: z.int(), resolved: z.int(), hoursOpen: z.number() };

/** Changes of findings of one severity: found or found again, resolved, and how many more are open than before. */
const OfSeverity = z.object({ found: z.int(), resolved: z.int(), open: z.int() });
export type OfSeverity = z.output<typeof OfSeverity>;
export type BySeverity = Partial<Record<Severity, OfSeverity>>;

/** Counts of changes of findings on one UTC day. `hoursOpen` is the total time that resolved ones were open. */
const FindingDay = z.object({
  id: z.string(),
  version: z.int(),
  createdAt: Time,
  ...Counts,
  bySeverity: z.partialRecord(z.enum(SEVERITIES), OfSeverity),
});
type FindingDay = z.output<typeof FindingDay>;
export type DayCounts = Omit<FindingDay, "id" | "version" | "createdAt">;

/** One row per day with changes of findings. Its id is the date. It is written in the transaction of the change. */
export const findingDays = defineCollection<FindingDay>({
  name: "finding_days",
  prefix: null,
  schema: FindingDay,
  secrets: [],
});

const NONE: DayCounts = { opened: 0, reopened: 0, resolved: 0, hoursOpen: 0, bySeverity: {} };

/** Adds to the counts of today, within the transaction. */
export async function countToday(ctx: Context, counts: Partial<DayCounts>): Promise<void> {
  const { bySeverity = {}, ...totals } = counts;
  const all = [totals, ...Object.values(bySeverity)].flatMap((each) => Object.values(each));
  if (all.every((count) => count === 0)) return;
  const id = dayOf(ctx.now);
  const before = (await ctx.db.get(findingDays, id))?.value;
  const sums = sumOf([before ?? NONE, { ...NONE, ...counts }]);
  if (before) await ctx.update(findingDays, before, sums);
  else await ctx.insert(findingDays, { id, ...sums });
}

/** The counts of the last days that are kept, including today; 1,000 days at most. */
export async function countsOfDays(ctx: ReadContext, days: number): Promise<Omit<DayCounts, "bySeverity">> {
  const ids = Array.from({ length: days }, (_, ago) => dayOf(timestamp(ctx.request.nowMs - daysMs(ago))));
  const { bySeverity: _, ...totals } = sumOf((await ctx.db.getMany(findingDays, ids)).map(({ value }) => value));
  return totals;
}

function sumOf(all: readonly DayCounts[]): DayCounts {
  return all.reduce(
    (sum, { opened, reopened, resolved, hoursOpen, bySeverity }) => ({
      opened: sum.opened + opened,
      reopened: sum.reopened + reopened,
      resolved: sum.resolved + resolved,
      hoursOpen: sum.hoursOpen + hoursOpen,
      bySeverity: bothOf(sum.bySeverity, bySeverity),
    }),
    NONE,
  );
}

function bothOf(one: BySeverity, other: BySeverity): BySeverity {
  const sum = { ...one };
  for (const [severity, changes] of Object.entries(other) as [Severity, OfSeverity][]) addTo(sum, severity, changes);
  return sum;
}

/** Adds changes of one severity to those of all. */
export function addTo(all: BySeverity, severity: Severity, more: Partial<OfSeverity>): void {
  const { found = 0, resolved = 0, open = 0 } = more;
  const was = all[severity] ?? { found: 0, resolved: 0, open: 0 };
  all[severity] = { found: was.found + found, resolved: was.resolved + resolved, open: was.open + open };
}
