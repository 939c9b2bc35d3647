import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";

const BATCH = 1_000;
/** The most events that one summary counts. */
const MOST = 5_000;

const Counts = z.record(z.string(), z.int().min(1));

/** How often what has happened to one subject. */
export const ActivitySummary = z
  .object({
    total: z.int().min(0).meta({ description: "Events that were counted." }),
    complete: z.boolean().meta({ description: `Whether these are all; at most the newest ${MOST} are counted.` }),
    byType: Counts.meta({ description: "Events by their type." }),
    byDay: Counts.meta({ description: "Events by their day in UTC." }),
    byOutcome: Counts.meta({ description: "Events by their outcome." }),
  })
  .meta({ id: "ActivitySummary" });

/** Counts the newest events of a subject. */
export async function summaryOf(ctx: ReadContext, stream: string): Promise<z.output<typeof ActivitySummary>> {
  const counts = { byType: {}, byDay: {}, byOutcome: {} } as Record<"byType" | "byDay" | "byOutcome", Counted>;
  let [total, before]: [number, number | undefined] = [0, undefined];
  do {
    const page: Awaited<ReturnType<typeof ctx.db.events>> = await ctx.db.events({
      stream,
      size: BATCH,
      ...(before === undefined ? {} : { before }),
    });
    for (const { attributes } of page.events) {
      const { type, time, outcome } = JSON.parse(attributes) as Record<"type" | "time" | "outcome", string>;
      add(counts.byType, type);
      add(counts.byDay, time.slice(0, 10));
      add(counts.byOutcome, outcome);
    }
    total += page.events.length;
    before = page.next;
  } while (before !== undefined && total < MOST);
  return { total, complete: before === undefined, ...counts };
}

type Counted = Record<string, number>;

function add(counts: Counted, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
