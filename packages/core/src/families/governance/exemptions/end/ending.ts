import { everyPage } from "../../../../kernel/operation/every-page.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { DAY_MS, dayOf, timestamp } from "../../../../ports/clock.js";
import { exemptions } from "../schema.js";

/** How many approved exemptions end later today or on one of the next `days`, in UTC, from counters. */
export async function countEnding(ctx: ReadContext, days: number): Promise<number> {
  const [today, last] = [dayOf(ctx.now), dayOf(timestamp(ctx.request.nowMs + days * DAY_MS))];
  let count = 0;
  for (const [day, ending] of await ctx.db.countBy(exemptions, "endsOn"))
    if (day >= today && day <= last) count += ending;
  return Math.max(0, count - (await overSince(ctx, `${today}T00:00:00.000Z`)));
}

/** How many of the counted exemptions have already ended since `from`, before a tick has stored that. */
async function overSince(ctx: ReadContext, from: string): Promise<number> {
  const range = { from, through: ctx.now };
  const order = { by: "endsAt", direction: "asc" } as const;
  let count = 0;
  for await (const rows of everyPage(ctx.db, exemptions, { order, range })) count += rows.length;
  return count;
}
