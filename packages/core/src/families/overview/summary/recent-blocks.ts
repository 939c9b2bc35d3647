import { Event } from "#families/activity/index.js";
import { eventText } from "#kernel/events/events.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { eventView } from "#kernel/operation/shown-events.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import { z } from "#schema/z.js";

const LOOKED_AT = 1_000;
const SHOWN = 10;
const HOURS = 24;

const Relation = z.enum(["exact", "atLeast"]);
const count = z.int().min(0);

const Recent = z.object({
  last: z
    .array(Event)
    .max(SHOWN)
    .meta({ description: `The newest ${SHOWN} events.` }),
  denied: z
    .object({
      hours: z.int().meta({ description: "Over so many hours." }),
      count: count.meta({ description: "How many were refused." }),
      relation: Relation.meta({ description: "Whether all were counted." }),
    })
    .meta({ description: `Refused requests among the newest ${LOOKED_AT} events; \`atLeast\` when there were more.` }),
  decisions: z
    .object({
      hours: z.int().meta({ description: "Over so many hours." }),
      allowed: count.meta({ description: "Decisions to allow." }),
      denied: count.meta({ description: "Decisions to deny." }),
      approvalRequired: count.meta({ description: "Decisions that want approval." }),
      relation: Relation.meta({ description: "Whether all were counted." }),
    })
    .meta({ description: `Decisions among the newest ${LOOKED_AT} events; \`atLeast\` when there were more.` }),
});

interface Envelope {
  readonly type: string;
  readonly time: string;
  readonly outcome: string;
}

/**
 * The latest events, and how many requests were refused and decided recently, from one read of the newest events.
 * Decisions are stored as events only, so no counter has their total.
 */
export const recent = {
  permission: "ai-activity:read",
  schema: Recent,
  async read(ctx: ReadContext): Promise<z.output<typeof Recent>> {
    const { events, next } = await ctx.db.events({ size: LOOKED_AT });
    const since = timestamp(ctx.request.nowMs - hoursMs(HOURS));
    const envelopes = events.map(({ attributes }) => JSON.parse(attributes) as Envelope);
    const late = envelopes.filter(({ time }) => time >= since);
    const denied = late.filter(({ outcome }) => outcome === "denied").length;
    const decided = (what: string) => {
      const wanted = `${ctx.env.options.eventTypePrefix}.decision.${what}.v1`;
      return late.filter(({ type }) => type === wanted).length;
    };
    const seenAll = next === undefined || (envelopes.at(-1)?.time ?? "") < since;
    const last = events
      .slice(0, SHOWN)
      .map(eventView(ctx))
      .map((event) => JSON.parse(eventText(event)) as Event);
    const bound = { hours: HOURS, relation: seenAll ? ("exact" as const) : ("atLeast" as const) };
    const decisions = {
      allowed: decided("allowed"),
      denied: decided("denied"),
      approvalRequired: decided("approval_required"),
    };
    return { last, denied: { ...bound, count: denied }, decisions: { ...bound, ...decisions } };
  },
};
