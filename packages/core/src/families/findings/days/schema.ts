import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { dayOf, timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { z } from "#schema/z.js";

const Counts = { opened: z.int(), reopened: z.int(), resolved: z.int(), hoursOpen: z.number() };

/** Counts of changes of findings on one UTC day. `hoursOpen` is the total time that resolved ones were open. */
const FindingDay = z.object({ id: z.string(), version: z.int(), createdAt: Time, ...Counts });
type FindingDay = z.output<typeof FindingDay>;
export type DayCounts = Omit<FindingDay, "id" | "version" | "createdAt">;

/** One row per day with changes of findings. Its id is the date. It is written in the transaction of the change. */
export const findingDays = defineCollection<FindingDay>({
  name: "finding_days",
  prefix: null,
  schema: FindingDay,
  secrets: [],
});

const NONE: DayCounts = { opened: 0, reopened: 0, resolved: 0, hoursOpen: 0 };

/** Adds to the counts of today, within the transaction. */
export async function countToday(ctx: Context, counts: Partial<DayCounts>): Promise<void> {
  if (Object.values(counts).every((count) => count === 0)) return;
  const id = dayOf(ctx.now);
  const before = (await ctx.db.get(findingDays, id))?.value;
  const sums = sumOf([before ?? NONE, { ...NONE, ...counts }]);
  if (before) await ctx.update(findingDays, before, sums);
  else await ctx.insert(findingDays, { id, ...sums });
}

/** The counts of the last days that are kept, including today; 1,000 days at most. */
export async function countsOfDays(ctx: ReadContext, days: number): Promise<DayCounts> {
  const ids = Array.from({ length: days }, (_, ago) => dayOf(timestamp(ctx.request.nowMs - daysMs(ago))));
  return sumOf((await ctx.db.getMany(findingDays, ids)).map(({ value }) => value));
}

function sumOf(all: readonly DayCounts[]): DayCounts {
  return all.reduce(
    (sum, { opened, reopened, resolved, hoursOpen }) => ({
      opened: sum.opened + opened,
      reopened: sum.reopened + reopened,
      resolved: sum.resolved + resolved,
      hoursOpen: sum.hoursOpen + hoursOpen,
    }),
    NONE,
  );
}
