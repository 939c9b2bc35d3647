import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Time } from "#kernel/records/record.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import type { StoredEvent } from "#store/event-log.js";
import { may, PATH, shared } from "../operations.js";
import { addUsage, NO_USAGE, Usage } from "./limits.js";

/** Minutes of an answer, and how many of the newest events are looked at. */
const MINUTES = 60;
const LOOKED_AT = 1_000;

const Minute = z
  .object({
    minute: Time.meta({ description: "When the minute begins." }),
    sessions: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: "How many sessions reported usage in it; `null` where that is not known." }),
    usage: Usage.nullable().meta({ description: "What they reported together; `null` where that is not known." }),
  })
  .meta({ id: "SessionSpendMinute" });
type Minute = z.output<typeof Minute>;

const SessionSpend = z
  .object({
    asOf: Time.meta({ description: "The moment of the last minute's numbers." }),
    complete: z.boolean().meta({ description: "Whether every minute is known." }),
    minutes: z.array(Minute).meta({ description: `The last ${MINUTES} minutes, the oldest first.` }),
  })
  .meta({ id: "SessionSpend" });

export const readSpend = defineOperation({
  ...shared,
  id: "aiSessions.spend",
  method: "GET",
  path: `${PATH}/spend`,
  summary: "Sum what sessions have reported to have spent, minute by minute",
  description: `Of the last ${MINUTES} minutes, from the newest ${LOOKED_AT} events. Minutes that reach further back, or whose events were erased, are not known and no zeros.`,
  access: may("read"),
  extension: true,
  success: { status: 200, schema: SessionSpend },
  handler: (ctx) => spendNow(ctx),
});

/** What one session has reported. `undefined` usage: the event was erased. */
interface Report {
  readonly at: number;
  readonly session: string;
  readonly usage: Partial<Usage> | undefined;
}

async function spendNow(ctx: ReadContext): Promise<z.output<typeof SessionSpend>> {
  const { events, next } = await ctx.db.events({ size: LOOKED_AT });
  const reports = events.flatMap(reportIn(`${ctx.env.options.eventTypePrefix}.session.usage_reported.v1`));
  const minuteOf = (at: number) => at - (at % minutesMs(1));
  const oldest = events.at(-1);
  // The minute of the oldest event that was looked at may have others before it.
  const hiddenUntil = next === undefined || !oldest ? Number.NEGATIVE_INFINITY : minuteOf(timeOf(oldest));
  const first = minuteOf(ctx.request.nowMs) - minutesMs(MINUTES - 1);
  const minutes = Array.from({ length: MINUTES }, (_, index): Minute => {
    const begins = first + minutesMs(index);
    const within = reports.filter(({ at }) => minuteOf(at) === begins);
    const isKnown = begins > hiddenUntil && within.every(({ usage }) => usage !== undefined);
    return { minute: timestamp(begins), ...(isKnown ? summed(within) : { sessions: null, usage: null }) };
  });
  return { asOf: ctx.now, complete: minutes.every(({ usage }) => usage !== null), minutes };
}

function summed(reports: readonly Report[]): Pick<Minute, "sessions" | "usage"> {
  const usage = reports.reduce((sum, report) => addUsage(sum, report.usage ?? {}), NO_USAGE);
  return { sessions: new Set(reports.map(({ session }) => session)).size, usage };
}

const timeOf = ({ attributes }: StoredEvent): number => Date.parse((JSON.parse(attributes) as { time: string }).time);

const reportIn =
  (wanted: string) =>
  (event: StoredEvent): Report[] => {
    const { type, subject } = JSON.parse(event.attributes) as { type: string; subject: string };
    if (type !== wanted) return [];
    const data = event.data === null ? undefined : (JSON.parse(event.data) as { reported: Partial<Usage> });
    return [{ at: timeOf(event), session: subject, usage: data?.reported }];
  };
