import type { z } from "zod";
import { coverageOf, NOTHING_KNOWN, shownCoverage, usageStateOf, windowStart } from "#families/access-drift/index.js";
import { assignmentView } from "#families/access-grants/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { namesOf } from "../name-assignments.js";
import type { ExpiringAccess, UnusedAccess } from "./schema.js";
import { pageByTime } from "./walk.js";

interface Query {
  readonly days: number;
  readonly size?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Access in force that ends within some days. */
export async function expiringAccess(ctx: ReadContext, query: Query): Promise<z.output<typeof ExpiringAccess>> {
  const { days } = query;
  const until = timestamp(ctx.request.nowMs + daysMs(days));
  const list = { name: "expiring access", by: "endsAt", days } as const;
  const { rows, ...page } = await pageByTime(ctx, list, { from: ctx.now, through: until }, query);
  const shown = await Promise.all(rows.map(assignmentView(ctx)));
  return { days, until, items: shown.filter(({ effective }) => effective), ...page };
}

/** Access that was not used for some days, and access whose use nobody sees. */
export async function unusedAccess(ctx: ReadContext, query: Query): Promise<z.output<typeof UnusedAccess>> {
  const { days } = query;
  const window = { nowMs: ctx.request.nowMs, days };
  const since = windowStart(window.nowMs, days);
  const list = { name: "unused access", by: "idleSince", days } as const;
  const { rows, ...page } = await pageByTime(ctx, list, { before: since }, query);
  const active = rows.filter(({ status }) => status === "active");
  const coverage = await coverageOf(
    ctx,
    active.map(({ connectorInstanceId }) => connectorInstanceId),
  );
  const [view, names] = [assignmentView(ctx), namesOf(ctx)];
  const shown = await Promise.all(
    active.map(async (one) => {
      const [assignment, named] = await Promise.all([view(one), names(one)]);
      return { ...assignment, ...named };
    }),
  );
  const judged = shown.map((assignment) => ({
    assignment,
    ...usageStateOf(assignment, coverage.get(assignment.connectorInstanceId) ?? NOTHING_KNOWN, window),
  }));
  return {
    days,
    since,
    items: judged.filter(({ usageState }) => usageState === "unused").map(({ assignment }) => assignment),
    unknown: judged
      .filter(({ usageState }) => usageState === "unknown")
      .map(({ assignment, unknownBecause }) => ({ ...assignment, unknownBecause: [...unknownBecause] })),
    coverage: [...coverage].map(([id, known]) => shownCoverage(id, known, window)),
    ...page,
  };
}
