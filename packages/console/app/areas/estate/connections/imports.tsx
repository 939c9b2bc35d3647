import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { type Column, DataTable } from "../../../ui/data-table.js";
import { useList } from "../../../ui/list-page.js";
import { Loaded } from "../../../ui/loaded.js";
import { Empty, Failed } from "../../../ui/states.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { changesOf, IMPORT_TONES, type Import } from "./terms.js";

const words = t.connections.imports;

const COLUMNS: readonly Column<Import>[] = [
  {
    key: "name",
    head: words.columns.name,
    cell: ({ id, name, connectorInstanceId }) => (
      <Link
        to="/estate/connections/$connectionId/imports/$importId"
        params={{ connectionId: connectorInstanceId, importId: id }}
      >
        <Text>{name}</Text>
      </Link>
    ),
  },
  {
    key: "status",
    head: words.columns.status,
    cell: ({ status }) => <StatusBadge tone={IMPORT_TONES[status]}>{words.states[status]}</StatusBadge>,
  },
  { key: "changes", head: words.columns.changes, align: "end", cell: (one) => t.number(changesOf(one)) },
  { key: "done", head: words.columns.done, align: "end", cell: ({ done }) => t.number(done) },
  { key: "begun", head: words.columns.begun, cell: ({ createdAt }) => <Time at={createdAt} age /> },
];

/** Imports from a connection, and the button that plans one. */
export function Imports({ id }: { readonly id: string }) {
  const [page, setPage] = useState(0);
  const may = useMay();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const query = { page, size: 10 };
  const list = useList(
    "connector_import",
    query,
    (query, signal) => client.GET("/api/v1/integrations/{id}/imports", { params: { path: { id }, query }, signal }),
    recordKey("connector_instance", id, "imports", query),
  );
  const plan = useMutation({
    mutationFn: async () =>
      (await client.POST("/api/v1/integrations/{id}/imports", { params: { path: { id } }, body: {} })).data,
    onSuccess: async (begun) => {
      await cache.invalidateQueries({ queryKey: ["connector_instance", id] });
      await navigate({
        to: "/estate/connections/$connectionId/imports/$importId",
        params: { connectionId: id, importId: begun.id },
      });
    },
  });
  return (
    <section>
      <h2>{words.title}</h2>
      {may("connector-import:write") && (
        <button type="button" aria-disabled={plan.isPending} onClick={() => plan.isPending || plan.mutate()}>
          {words.plan}
        </button>
      )}
      {plan.isError && <Failed error={plan.error} />}
      <Loaded query={list}>
        {(data) => (
          <DataTable
            caption={words.title}
            columns={COLUMNS}
            page={data}
            rowKey={(one) => one.id}
            empty={<Empty {...words.empty} />}
            onPage={setPage}
          />
        )}
      </Loaded>
    </section>
  );
}
