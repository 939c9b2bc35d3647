import { useState } from "react";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { t } from "../../../texts/index.js";
import { type Column, DataTable } from "../../../ui/data-table.js";
import { useList } from "../../../ui/list-page.js";
import { Loaded } from "../../../ui/loaded.js";
import { Empty } from "../../../ui/states.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { RUN_TONES, type Run } from "./terms.js";

const columns = t.connections.test_columns;

/** What a test found: its failure, or what did not pass. */
const foundBy = ({ failure, checks }: Run) =>
  failure
    ? failure.message
    : checks
        .filter(({ status }) => status !== "skip")
        .map(({ message }) => message)
        .join(" ");

const COLUMNS: readonly Column<Run>[] = [
  { key: "when", head: columns.when, cell: ({ endedAt }) => <Time at={endedAt} /> },
  {
    key: "outcome",
    head: columns.outcome,
    cell: ({ status }) => <StatusBadge tone={RUN_TONES[status]}>{t.connections.outcomes[status]}</StatusBadge>,
  },
  { key: "found", head: columns.found, cell: (run) => <Text>{foundBy(run)}</Text> },
  { key: "by", head: columns.by, cell: ({ trigger }) => t.connections.triggers[trigger] },
];

/** The tests of a connection. */
export function Tests({ id }: { readonly id: string }) {
  const [page, setPage] = useState(0);
  const query = { page, size: 5 };
  const list = useList(
    "diagnostics_run",
    query,
    (query, signal) =>
      client.GET("/api/v1/integrations/{id}/diagnostics/history", { params: { path: { id }, query }, signal }),
    recordKey("connector_instance", id, "tests", query),
  );
  return (
    <section>
      <h2>{t.connections.tests}</h2>
      <Loaded query={list}>
        {(data) => (
          <DataTable
            caption={t.connections.tests}
            columns={COLUMNS}
            page={data}
            rowKey={(run) => run.id}
            empty={<Empty {...t.connections.noTests} />}
            onPage={setPage}
          />
        )}
      </Loaded>
    </section>
  );
}
