import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { dayOf } from "#ports/clock.js";
import { windowStart } from "./rules.js";
import { type AccessUse, type UsageDay, usageDays } from "./schema.js";

/** The most actions of a day that are counted by name. */
const ACTIONS = 50;
/** The name of the rest. */
export const OTHER = "(other)";
/** Rows of one read. */
const BATCH = 400;

type Counts = UsageDay["outcomes"];

function plus(counts: Counts, key: string, more: number, most = Number.POSITIVE_INFINITY): Counts {
  const known = counts.some((one) => one.key === key);
  const name = known || counts.length < most || key === OTHER ? key : OTHER;
  if (!counts.some((one) => one.key === name)) return [...counts, { key: name, count: more }];
  return counts.map((one) => (one.key === name ? { key: name, count: one.count + more } : one));
}

const dayStart = (at: string) => `${dayOf(at)}T00:00:00.000Z`;

type Sum = Pick<UsageDay, "subject" | "day" | "total" | "outcomes" | "actions" | "lastAt">;

const later = (one: string, other: string) => (one > other ? one : other);

function added(to: Sum, { count, outcome, action, at }: Pick<AccessUse, "count" | "outcome" | "action" | "at">): Sum {
  return {
    ...to,
    total: to.total + count,
    outcomes: plus(to.outcomes, outcome, count),
    actions: plus(to.actions, action, count, ACTIONS),
    lastAt: later(to.lastAt, at),
  };
}

/** Adds uses to the days of their assignments and assets, with a few queries for all of them. */
export async function countUses(ctx: Context, uses: readonly AccessUse[]): Promise<void> {
  const byKey = new Map<string, AccessUse[]>();
  for (const use of uses)
    for (const subject of [use.assignmentId, use.primary ? use.assetId : null])
      if (subject !== null) {
        const key = `${subject} ${dayStart(use.at)}`;
        byKey.set(key, [...(byKey.get(key) ?? []), use]);
      }
  const keys = [...byKey.keys()].map((key) => {
    const [subject = "", day = ""] = key.split(" ");
    return { subject, day };
  });
  if (keys.length === 0) return;
  const rows = await ctx.db.lookupMany(usageDays, "day", keys);
  for (const [index, key] of keys.entries()) {
    const held = rows[index]?.value;
    const none: Sum = { ...key, total: 0, outcomes: [], actions: [], lastAt: key.day };
    const sum = (byKey.get(`${key.subject} ${key.day}`) ?? []).reduce(added, held ?? none);
    if (held) await ctx.update(usageDays, held, sum, { event: false });
    else await ctx.insert(usageDays, sum, { event: false });
  }
}

/** Sums of uses over some days. */
export interface UsageSums {
  readonly total: number;
  readonly byOutcome: Counts;
  readonly byAction: Counts;
  readonly byDay: readonly { readonly day: string; readonly count: number }[];
  readonly lastUsedAt: string | null;
}

/** Adds up the days of an asset or assignment. It reads a row a day. */
export async function sumUses(ctx: ReadContext, subject: string, days: number): Promise<UsageSums> {
  const from = dayStart(windowStart(ctx.request.nowMs, days));
  const order = { by: "day", direction: "asc" } as const;
  const { rows } = await ctx.db.find(usageDays, { where: { subject }, order, range: { from }, size: BATCH });
  const sum = { total: 0, outcomes: [] as Counts, actions: [] as Counts, lastAt: "" };
  const byDay: { day: string; count: number }[] = [];
  for (const { value } of rows) {
    sum.total += value.total;
    for (const { key, count } of value.outcomes) sum.outcomes = plus(sum.outcomes, key, count);
    for (const { key, count } of value.actions) sum.actions = plus(sum.actions, key, count, ACTIONS);
    sum.lastAt = later(sum.lastAt, value.lastAt);
    byDay.push({ day: dayOf(value.day), count: value.total });
  }
  return {
    total: sum.total,
    byOutcome: sum.outcomes,
    byAction: sum.actions,
    byDay,
    lastUsedAt: sum.lastAt === "" ? null : sum.lastAt,
  };
}
