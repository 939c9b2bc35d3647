import { ReeveError } from "#kernel/http/errors.js";
import { everyPage } from "#kernel/operation/every-page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { dayOf } from "#ports/clock.js";
import type { Filters } from "#store/find-query.js";
import { bothSums, eachToken, NO_USE, type Sums } from "../telemetry/rules.js";
import { type UsageRow, usageRows } from "../telemetry/schema.js";
import type { Group, Usage, UsageSums } from "./fields.js";

/** Rows that one answer reads at most. */
const MOST_ROWS = 50_000;
const PAGE = 1_000;
const MOST_GROUPS = 500;

export interface Asked {
  readonly from: string;
  readonly to: string;
  readonly groupBy: Group;
  readonly installationId?: string | undefined;
  readonly agentId?: string | undefined;
}

/** Sums by the kind of call, since tokens are those of models alone. */
type ByKind = Readonly<Record<UsageRow["kind"], Sums>>;
const NONE: ByKind = { model: NO_USE, tool: NO_USE, run: NO_USE };

interface Grouped {
  readonly key: string | null;
  readonly provider: string | null;
  readonly server: string | null;
  readonly sums: ByKind;
}

/** The sums of some days by what is asked for. 403 `limit_exceeded` where they are more rows than one answer reads. */
export async function sumUsage(ctx: ReadContext, asked: Asked): Promise<Usage> {
  const groups = new Map<string, Grouped>();
  let totals = NONE;
  for await (const row of rowsOf(ctx, asked)) {
    totals = plus(totals, row);
    const group = groupOf(asked.groupBy, row);
    const name = JSON.stringify(Object.values(group));
    groups.set(name, { ...group, sums: plus(groups.get(name)?.sums ?? NONE, row) });
  }
  const { from, to, groupBy } = asked;
  const all = [...groups.values()].sort(groupBy === "day" ? byKey : byCalls);
  const items = all.slice(0, MOST_GROUPS).map(({ sums, ...group }) => ({ ...group, ...shown(sums) }));
  return { from, to, groupBy, totals: shown(totals), groups: all.length, items };
}

async function* rowsOf(
  ctx: ReadContext,
  { from, to, groupBy, installationId, agentId }: Asked,
): AsyncGenerator<UsageRow> {
  const needsOne = groupBy === "installation" || groupBy === "team";
  const where: Filters = installationId === undefined ? { ofOne: needsOne } : { installationId };
  const range = { from: `${from}T00:00:00.000Z`, through: `${to}T00:00:00.000Z` };
  const order = { by: "day", direction: "asc" } as const;
  let read = 0;
  for await (const rows of everyPage(ctx.db, usageRows, { where, range, order, size: PAGE })) {
    read += rows.length;
    if (read > MOST_ROWS)
      throw new ReeveError(
        "limit_exceeded",
        "These are too many sums for one answer: ask for fewer days, or one installation.",
      );
    for (const { value } of rows) if (agentId === undefined || value.agentId === agentId) yield value;
  }
}

function groupOf(groupBy: Group, row: UsageRow): Omit<Grouped, "sums"> {
  const none = { provider: null, server: null };
  if (groupBy === "agent") return { key: row.agentId, ...none };
  if (groupBy === "model") return { key: row.model, ...none, provider: row.provider };
  if (groupBy === "tool") return { key: row.tool, ...none, server: row.server };
  if (groupBy === "server") return { key: row.server, ...none };
  if (groupBy === "team") return { key: row.team, ...none };
  if (groupBy === "installation") return { key: row.installationId, ...none };
  return { key: dayOf(row.day), ...none };
}

const plus = (sums: ByKind, row: UsageRow): ByKind => ({ ...sums, [row.kind]: bothSums(sums[row.kind], row) });

const callsOf = ({ sums: { model, tool, run } }: Grouped) => model.calls + tool.calls + run.calls;
const byCalls = (one: Grouped, other: Grouped) => callsOf(other) - callsOf(one) || byKey(one, other);
const byKey = (one: Grouped, other: Grouped) => ((one.key ?? "") < (other.key ?? "") ? -1 : 1);

function shown({ model, tool, run }: ByKind): UsageSums {
  const sumOf = ({ sum, unknown }: Sums["nanoUsd"], factor = 1) => ({
    sum: model.calls > 0 && unknown >= model.calls ? null : sum / factor,
    unknownCalls: unknown,
  });
  const { milliseconds, longest } = bothSums(model, tool);
  const timed = model.calls + tool.calls - milliseconds.unknown;
  return {
    modelCalls: model.calls,
    toolCalls: tool.calls,
    runsWithoutCalls: run.calls,
    failed: model.failed + tool.failed,
    refused: tool.refused,
    tokens: eachToken((part) => sumOf(model.tokens[part])),
    costUsd: sumOf(model.nanoUsd, 1e9),
    milliseconds: {
      mean: timed > 0 ? milliseconds.sum / timed : null,
      longest,
      unknownCalls: milliseconds.unknown,
    },
  };
}
