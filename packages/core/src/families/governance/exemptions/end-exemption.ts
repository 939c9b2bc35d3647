import { countsNow } from "#kernel/operation/numbers.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { dayOf, timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { exemptions } from "./schema.js";

/** How many approved exemptions end later today or on one of the next `days`, in UTC, from counters. */
export async function countEnding(ctx: ReadContext, days: number): Promise<number> {
  const [today, last] = [dayOf(ctx.now), dayOf(timestamp(ctx.request.nowMs + daysMs(days)))];
  let count = 0;
  for (const [day, ending] of await countsNow(ctx, exemptions, "endsOn"))
    if (day >= today && day <= last) count += ending;
  return count;
}
