import { t } from "../../../texts/index.js";
import type { Column } from "../../../ui/data-table.js";
import type { Sums } from "./terms.js";

const { use: words } = t.installations;
const { columns } = words;

type Sum = Sums["costUsd"];

interface SumOfProps {
  readonly of: Sum;
  readonly sums: Pick<Sums, "modelCalls" | "runsWithoutCalls">;
  readonly write: (sum: number) => string;
}

/** A sum with the number of calls that did not say it. It is unknown, and no zero, where none of them did. */
function SumOf({ of: { sum, unknownCalls }, sums: { modelCalls, runsWithoutCalls }, write }: SumOfProps) {
  if (modelCalls === 0) return <span className="muted">{runsWithoutCalls > 0 ? t.unknown : words.noModelCall}</span>;
  if (sum === null) return <span className="muted">{words.unknownOf(unknownCalls)}</span>;
  return <>{unknownCalls > 0 ? words.partly(write(sum), unknownCalls) : write(sum)}</>;
}

/** The numbers of a group. Each says of how many calls it is unknown. */
export const SUM_COLUMNS: readonly Column<Sums>[] = [
  { key: "models", head: columns.models, align: "end", cell: ({ modelCalls }) => t.number(modelCalls) },
  { key: "tools", head: columns.tools, align: "end", cell: ({ toolCalls }) => t.number(toolCalls) },
  { key: "failed", head: columns.failed, align: "end", cell: ({ failed }) => t.number(failed) },
  { key: "refused", head: columns.refused, align: "end", cell: ({ refused }) => t.number(refused) },
  {
    key: "input",
    head: columns.input,
    align: "end",
    cell: (sums) => <SumOf of={sums.tokens.input} sums={sums} write={t.number} />,
  },
  {
    key: "output",
    head: columns.output,
    align: "end",
    cell: (sums) => <SumOf of={sums.tokens.output} sums={sums} write={t.number} />,
  },
  {
    key: "cost",
    head: columns.cost,
    align: "end",
    cell: (sums) => <SumOf of={sums.costUsd} sums={sums} write={words.money} />,
  },
  {
    key: "runs",
    head: columns.runs,
    align: "end",
    cell: ({ runsWithoutCalls }) => (runsWithoutCalls === 0 ? t.none : words.runs(runsWithoutCalls)),
  },
];
