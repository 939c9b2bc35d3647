import { t } from "../../../texts/index.js";
import { DataTable, wholePage } from "../../../ui/data-table.js";
import { DaysChart, type Point, type Series } from "../../../ui/days-chart.js";
import { SUM_COLUMNS } from "./sums.js";
import { daysBetween, type Figure, type Group, type Usage } from "./terms.js";

const { use: words } = t.installations;
const { byDay, columns } = words;

const SERIES: Readonly<Record<Figure, readonly Series[]>> = {
  calls: [
    { key: "models", label: columns.models, className: "series-low" },
    { key: "tools", label: columns.tools, className: "series-pass" },
  ],
  tokens: [
    { key: "input", label: columns.input, className: "series-low" },
    { key: "output", label: columns.output, className: "series-pass" },
  ],
  cost: [{ key: "cost", label: byDay.figures.cost, className: "series-medium" }],
};

const NO_CALL = { models: 0, tools: 0, input: 0, output: 0, cost: 0 };

/** The numbers of a day; `null` where no call of it said them. On a day without a report no call is counted. */
function valuesOf(day: Group | undefined, figure: Figure): Point["values"] {
  if (!day) return NO_CALL;
  const { modelCalls, toolCalls, runsWithoutCalls, tokens, costUsd } = day;
  if (figure === "calls") return { models: modelCalls, tools: toolCalls };
  if (modelCalls === 0) return runsWithoutCalls > 0 ? null : NO_CALL;
  if (figure === "cost") return costUsd.sum === null ? null : { cost: costUsd.sum };
  if (tokens.input.sum === null && tokens.output.sum === null) return null;
  return { input: tokens.input.sum ?? 0, output: tokens.output.sum ?? 0 };
}

function isPartly({ tokens, costUsd, runsWithoutCalls }: Group, figure: Figure): boolean {
  if (figure === "calls") return false;
  const sums = figure === "cost" ? [costUsd] : [tokens.input, tokens.output];
  return runsWithoutCalls > 0 || sums.some(({ unknownCalls }) => unknownCalls > 0);
}

/** The use of each day: bars, and the same as a table. */
export function ByDay({ usage: { items, from, to }, figure }: { readonly usage: Usage; readonly figure: Figure }) {
  const found = new Map(items.map((item) => [item.key, item]));
  const points = daysBetween(from, to).map((at) => ({ at, values: valuesOf(found.get(at), figure) }));
  return (
    <>
      <DaysChart label={byDay.labels[figure]} series={SERIES[figure]} points={points} unknown={byDay.unknown} />
      <details>
        <summary>{byDay.table}</summary>
        <DataTable
          caption={byDay.labels[figure]}
          columns={[{ key: "day", head: words.groups.day, cell: ({ key }: Group) => key ?? t.unknown }, ...SUM_COLUMNS]}
          page={wholePage(items)}
          rowKey={({ key }) => key ?? ""}
          empty={<p>{words.empty.title}</p>}
        />
      </details>
      {items.some((item) => isPartly(item, figure)) && <p className="muted">{byDay.isPartly}</p>}
    </>
  );
}
