import { useState } from "react";
import { t } from "../../../texts/index.js";
import { type Column, DataTable, pageOfAll } from "../../../ui/data-table.js";
import { Empty } from "../../../ui/states.js";
import { Text } from "../../../ui/text.js";
import type { Unread } from "./read-lines.js";
import type { Refusal } from "./send-part.js";

const words = t.importFile;
const SIZE = 25;

const COLUMNS: readonly Column<Refusal>[] = [
  { key: "at", head: words.line, cell: ({ at }) => t.number(at), align: "end" },
  { key: "why", head: words.why, cell: (one) => <Text>{one.words}</Text> },
];

interface RefusalsProps {
  readonly refusals: readonly Refusal[];
  readonly unread: readonly Unread[];
}

/** The lines that are refused, each with its number in the file. */
export function Refusals({ refusals, unread }: RefusalsProps) {
  const [page, setPage] = useState(0);
  const all = [...unread.map(({ at, why }) => ({ at, words: words.unread[why] })), ...refusals].sort(
    (one, other) => one.at - other.at,
  );
  return (
    <section>
      <h2>{words.refused}</h2>
      <DataTable
        caption={words.refused}
        columns={COLUMNS}
        page={pageOfAll(all, page, SIZE)}
        rowKey={({ at }) => String(at)}
        empty={<Empty {...words.noRefusals} />}
        onPage={setPage}
      />
    </section>
  );
}
