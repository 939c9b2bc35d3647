import type { z } from "zod";
import { accessFigures, type Figure, type NamedFigure } from "#families/access/index.js";
import { coverageOf, NOTHING_KNOWN, usageStateOf, windowStart } from "#families/access-drift/index.js";
import { type AccessAssignment, accessAssignments } from "#families/access-grants/index.js";
import { certifications } from "#families/access-reviews/index.js";
import { countsNow } from "#kernel/operation/numbers.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import type { FindQuery } from "#store/find-query.js";
import type { AccessDashboard } from "./dashboard-schema.js";
import { unseenAccess } from "./unseen-access.js";

/** Rows that a number looks at. */
const MOST = 1_000;
const TARGETS = 100;
const ALL = "/api/v1/access-assignments";

const figure = (value: number, url: string, exact = true): Figure => ({
  value,
  relation: exact ? "exact" : "atLeast",
  url,
});

/** How access is, in numbers that lists reproduce. Each comes from counters or from a bounded read of an index. */
export async function accessDashboard(ctx: ReadContext): Promise<z.output<typeof AccessDashboard>> {
  const [statuses, byTarget, states, unseen, expiring, unused, campaigns, drift, requests] = await Promise.all([
    countsNow(ctx, accessAssignments, "status"),
    countsNow(ctx, accessAssignments, "liveOf"),
    countsNow(ctx, accessAssignments, "targetState"),
    unseenAccess(ctx),
    expiringIn(ctx, [1, 7, 30]),
    unusedFor(ctx, [30, 60, 90]),
    countsNow(ctx, certifications, "status"),
    sectionOf(ctx, "drift"),
    sectionOf(ctx, "requests"),
  ]);
  return {
    asOf: ctx.now,
    assignments: {
      byStatus: named(statuses, (status) => `${ALL}?status=${status}`),
      byTarget: named(byTarget, (id) => `${ALL}?liveIn=${id}`).slice(0, TARGETS),
    },
    revokeFailed: figure(statuses.get("revoke_failed") ?? 0, `${ALL}?status=revoke_failed`),
    unknown: { ...figure(states.get("unknown") ?? 0, `${ALL}?targetState=unknown`), notShown: unseen },
    expiring,
    unused,
    certifications: named(campaigns, (status) => `/api/v1/access-certifications?status=${status}`),
    drift,
    requests,
  };
}

const named = (counts: ReadonlyMap<string, number>, urlOf: (key: string) => string): NamedFigure[] =>
  [...counts]
    .sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
    .map(([key, value]) => ({ key, ...figure(value, urlOf(key)) }));

/** The first assignments in the order of a time, as they are at this moment. */
async function first(ctx: ReadContext, by: "endsAt" | "idleSince", range: FindQuery["range"]) {
  const order = { by, direction: "asc" } as const;
  const { rows, next } = await ctx.db.find(accessAssignments, { order, size: MOST, ...(range ? { range } : {}) });
  const seen = rows.map((row) => ctx.derived(accessAssignments, row));
  return { active: seen.filter(({ status }) => status === "active"), last: rows.at(-1)?.value, isWhole: !next };
}

async function expiringIn(ctx: ReadContext, spans: readonly number[]) {
  const until = (days: number) => timestamp(ctx.request.nowMs + daysMs(days));
  const longest = Math.max(...spans);
  const { active, last, isWhole } = await first(ctx, "endsAt", { from: ctx.now, through: until(longest) });
  return spans.map((days) => {
    const end = until(days);
    const value = active.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= end).length;
    const exact = isWhole || (last?.expiresAt ?? "") > end;
    return { days, ...figure(value, `/api/v1/access-expiring?days=${days}`, exact) };
  });
}

const idleSince = ({ lastUsedAt, activatedAt }: AccessAssignment) => lastUsedAt ?? activatedAt ?? "";

async function unusedFor(ctx: ReadContext, spans: readonly number[]) {
  const { nowMs } = ctx.request;
  const { active, last, isWhole } = await first(ctx, "idleSince", {
    before: windowStart(nowMs, Math.min(...spans)),
  });
  const coverage = await coverageOf(
    ctx,
    active.map(({ connectorInstanceId }) => connectorInstanceId),
  );
  return spans.map((days) => {
    const start = windowStart(nowMs, days);
    const idle = active.filter((one) => idleSince(one) < start);
    const states = idle.map(
      (one) => usageStateOf(one, coverage.get(one.connectorInstanceId) ?? NOTHING_KNOWN, { nowMs, days }).usageState,
    );
    const exact = isWhole || (last !== undefined && idleSince(last) >= start);
    const url = `/api/v1/access-unused?days=${days}`;
    const of = (state: string) => figure(states.filter((one) => one === state).length, url, exact);
    return { days, ...of("unused"), unknown: of("unknown") };
  });
}

async function sectionOf(ctx: ReadContext, section: "drift" | "requests"): Promise<NamedFigure[] | null> {
  const sources = ctx.env.use(accessFigures).filter((one) => one.section === section);
  const known = (await Promise.all(sources.map(({ read }) => read(ctx)))).filter((figures) => figures !== null);
  return known.length === 0 ? null : known.flat();
}
