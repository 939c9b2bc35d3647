import { parameterError } from "#kernel/http/target.js";
import { writtenCounts } from "#kernel/operation/counts.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { retentionOf } from "#kernel/operation/retention.js";
import { Time } from "#kernel/records/record.js";
import { dayOf, timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import { isOpen, SEVERITIES, type Severity } from "../findings/finding-terms.js";
import { openBySeverity } from "../findings/queries.js";
import { findings } from "../findings/schema.js";
import { type BySeverity, findingDays } from "./schema.js";

/** Days of an answer: unless asked for others, at most, and how far back they may lie. */
const DAYS = { default: 90, most: 366, back: 1_000 };

const Numbers = z.object(
  Object.fromEntries(
    SEVERITIES.map((severity) => [severity, z.int().meta({ description: `Findings of severity ${severity}.` })]),
  ) as Record<Severity, z.ZodInt>,
);
type Numbers = z.output<typeof Numbers>;

const FindingsByDay = z
  .object({
    asOf: Time.meta({ description: "The moment of the last day's numbers, where that is today." }),
    items: z
      .array(
        z.object({
          day: z.iso.date().meta({ description: "The day, in UTC." }),
          open: Numbers.nullable().meta({
            description: "Open at its end, or now, by effective severity; `null` where it is not known any more.",
          }),
          found: Numbers.nullable().meta({ description: "Found on it, or found again." }),
          resolved: Numbers.nullable().meta({ description: "Resolved on it." }),
        }),
      )
      .meta({ description: "Every day, the oldest first." }),
  })
  .meta({ id: "FindingsByDay" });

export const countFindingsByDay = defineOperation({
  id: "aiFindings.byDay",
  method: "GET",
  path: "/api/v1/ai-governance/findings/by-day",
  tag: "AI Governance",
  extension: true,
  summary: "Count findings by day and severity",
  description:
    "How many were open at the end of each day, found on it and resolved on it. Without `from`, the last 90 days; 366 at most. Days whose counts are not kept any more are `null`, and not zero.",
  access: { permission: "ai-finding:read", capability: "ai_governance" },
  query: z.strictObject({
    from: z.iso.date().optional().meta({ description: "The first day, in UTC." }),
    to: z.iso.date().optional().meta({ description: "The last day; today when absent." }),
  }),
  success: { status: 200, schema: FindingsByDay },
  async handler(ctx, { query }) {
    const days = daysOf(ctx, query);
    const changes = await changesSince(ctx, days[0] as string);
    const kept = retentionOf(ctx.env, "findingDays");
    const keptFrom = kept === undefined ? "" : dayOf(timestamp(ctx.request.nowMs - kept));
    const today = dayOf(ctx.now);
    const now = await openBySeverity(ctx);
    let open = await storedOpen(ctx);
    const counted = new Map<string, Numbers>();
    for (const day of [...changes.keys()].sort().reverse()) {
      counted.set(day, open);
      open = each((severity) => (open[severity] ?? 0) - (changes.get(day)?.[severity]?.open ?? 0));
    }
    const items = days.map((day) => {
      if (day < keptFrom) return { day, open: null, found: null, resolved: null };
      const of = changes.get(day);
      return {
        day,
        open: day === today ? each((severity) => now[severity] ?? 0) : (counted.get(day) as Numbers),
        found: each((severity) => of?.[severity]?.found ?? 0),
        resolved: each((severity) => of?.[severity]?.resolved ?? 0),
      };
    });
    return { asOf: ctx.now, items };
  },
});

const each = (count: (severity: Severity) => number) =>
  Object.fromEntries(SEVERITIES.map((severity) => [severity, count(severity)])) as Numbers;

/** The days of an answer, the oldest first. */
function daysOf(
  ctx: ReadContext,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
) {
  const today = dayOf(ctx.now);
  const last = to ?? today;
  const first = from ?? dayOf(timestamp(Date.parse(last) - daysMs(DAYS.default - 1)));
  if (last > today) throw parameterError("to", "invalid_parameter", "It lies in the future.");
  if (first > last) throw parameterError("from", "invalid_parameter", "It lies after the last day.");
  const days = (Date.parse(last) - Date.parse(first)) / daysMs(1) + 1;
  if (days > DAYS.most) throw parameterError("from", "invalid_parameter", `At most ${DAYS.most} days are counted.`);
  if ((Date.parse(today) - Date.parse(first)) / daysMs(1) >= DAYS.back)
    throw parameterError("from", "invalid_parameter", `It lies more than ${DAYS.back} days back.`);
  return Array.from({ length: days }, (_, at) => dayOf(timestamp(Date.parse(first) + daysMs(at))));
}

/** What changed on each day from one until today; empty where nothing did. */
async function changesSince(ctx: ReadContext, first: string): Promise<Map<string, BySeverity>> {
  const length = (Date.parse(dayOf(ctx.now)) - Date.parse(first)) / daysMs(1) + 1;
  const days = Array.from({ length }, (_, at) => dayOf(timestamp(Date.parse(first) + daysMs(at))));
  const rows = await ctx.db.getMany(findingDays, days);
  const found = new Map(rows.map(({ id, value }) => [id, value.bySeverity]));
  return new Map(days.map((day) => [day, found.get(day) ?? {}]));
}

/** Open findings by severity as they are stored, which the changes of days add up to. */
async function storedOpen(ctx: ReadContext): Promise<Numbers> {
  const open: Partial<Record<Severity, number>> = {};
  for (const [cell, count] of await writtenCounts(ctx.db, findings, "gridWithBaseline")) {
    const [status, severity] = cell.split(":") as [Parameters<typeof isOpen>[0], Severity];
    if (isOpen(status)) open[severity] = (open[severity] ?? 0) + count;
  }
  return each((severity) => open[severity] ?? 0);
}
