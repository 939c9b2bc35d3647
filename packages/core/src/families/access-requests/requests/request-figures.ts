import { accessFigures, type NamedFigure } from "#families/access/index.js";
import { accessAssignments } from "#families/access-grants/index.js";
import { extend } from "#kernel/config/extension.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { percentile, waitedMinutes } from "./figure-rules.js";
import { type AccessRequest, accessRequests } from "./schema.js";

/** Requests that a number looks at. */
const MOST = 1_000;
/** Days whose requests times of waiting are told of. */
const DAYS = 90;
const PERCENTS = [50, 90, 95] as const;
const WAITING = "status=submitted,pending_approval";
const DONE = "status=provisioned";
const urlOf = (query: string) => `/api/v1/access-requests?${query}`;

/** How many requests wait and for how long, and how long people waited for approval and for access. */
export const requestFigures = extend(accessFigures, {
  section: "requests",
  read: async (ctx) => [...(await waiting(ctx)), ...(await waited(ctx))],
});

async function waiting(ctx: ReadContext): Promise<NamedFigure[]> {
  const where = { status: ["submitted", "pending_approval"] };
  const found = await ctx.db.find(accessRequests, { where, size: MOST });
  const open = found.rows
    .map((row) => ctx.derived(accessRequests, row))
    .filter(({ status }) => status === "submitted" || status === "pending_approval");
  const relation = found.next ? "atLeast" : "exact";
  const olderThan = (days: number) => {
    const before = timestamp(ctx.request.nowMs - daysMs(days));
    return open.filter(({ createdAt }) => createdAt <= before).length;
  };
  const of = (key: string, value: number): NamedFigure => ({ key, value, relation, url: urlOf(WAITING) });
  return [of("waiting", open.length), of("waiting_for_a_day", olderThan(1)), of("waiting_for_a_week", olderThan(7))];
}

async function waited(ctx: ReadContext): Promise<NamedFigure[]> {
  const range = { from: timestamp(ctx.request.nowMs - daysMs(DAYS)) };
  const { rows, next } = await ctx.db.find(accessRequests, { where: { status: "provisioned" }, range, size: MOST });
  const done = rows.map(({ value }) => value);
  const first = done.flatMap(({ items }) => items.slice(0, 1).flatMap(({ assignmentId }) => assignmentId ?? []));
  const found = first.length > 0 ? await ctx.db.getMany(accessAssignments, [...new Set(first)]) : [];
  const activated = new Map(found.map(({ id, value }) => [id, value.activatedAt]));
  const approved = done.map(({ createdAt, resolution }) => waitedMinutes(createdAt, resolution?.at));
  const granted = done.map((one: AccessRequest) =>
    waitedMinutes(one.createdAt, activated.get(one.items[0]?.assignmentId ?? "")),
  );
  const relation = next ? "atLeast" : "exact";
  return [...of("minutes_to_approval", approved, relation), ...of("minutes_to_access", granted, relation)];
}

function of(name: string, all: readonly (number | undefined)[], relation: NamedFigure["relation"]): NamedFigure[] {
  const known = all.filter((one) => one !== undefined);
  return known.length === 0
    ? []
    : PERCENTS.map((percent) => ({
        key: `${name}_p${percent}`,
        value: percentile(known, percent),
        relation,
        url: urlOf(DONE),
      }));
}
