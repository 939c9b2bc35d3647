import { z } from "zod";
import { eventText } from "../../kernel/events.js";
import type { ReadContext } from "../../kernel/read-context.js";
import { timestamp } from "../../ports/clock.js";
import { Event } from "../activity/index.js";

const LOOKED_AT = 1_000;
const SHOWN = 10;
const HOURS = 24;

const Recent = z.object({
  last: z
    .array(Event)
    .max(SHOWN)
    .meta({ description: `The newest ${SHOWN} events.` }),
  denied: z
    .object({ hours: z.int(), count: z.int().min(0), relation: z.enum(["exact", "at_least"]) })
    .meta({ description: `Refused requests among the newest ${LOOKED_AT} events; \`at_least\` when there were more.` }),
});

/** What happened last, and how much was refused of late: from one read of the newest events. */
export const recent = {
  permission: "ai-activity:read",
  schema: Recent,
  async read(ctx: ReadContext): Promise<z.output<typeof Recent>> {
    const { events, next } = await ctx.db.events({ size: LOOKED_AT });
    const since = timestamp(ctx.request.nowMs - HOURS * 3_600_000);
    const envelopes = events.map(({ attributes }) => JSON.parse(attributes) as { time: string; outcome: string });
    const count = envelopes.filter(({ time, outcome }) => outcome === "denied" && time >= since).length;
    const seenAll = next === undefined || (envelopes.at(-1)?.time ?? "") < since;
    const last = events.slice(0, SHOWN).map((event) => JSON.parse(eventText(event)) as Event);
    return { last, denied: { hours: HOURS, count, relation: seenAll ? "exact" : "at_least" } };
  },
};
