import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { client } from "../../api/client.js";
import { listKey } from "../../api/keys.js";
import { t } from "../../texts/index.js";
import { type Column, DataTable } from "../../ui/data-table.js";
import { Facets } from "../../ui/facets.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { Empty } from "../../ui/states.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { REVIEW_KINDS, type Review, TONES } from "./kinds.js";
import { useInboxSearch } from "./search.js";

const BulkDialog = lazy(async () => ({ default: (await import("./bulk/bulk-dialog.js")).BulkDialog }));

const COLUMNS: readonly Column<Review>[] = [
  {
    key: "name",
    head: t.inbox.columns.name,
    cell: ({ id, name }) => (
      <Link to="/inbox/$id" params={{ id }}>
        <Text>{name}</Text>
      </Link>
    ),
  },
  { key: "kind", head: t.inbox.columns.kind, cell: ({ kind }) => t.inbox.kinds[kind] },
  { key: "asked", head: t.inbox.columns.asked, cell: ({ createdAt }) => <Time at={createdAt} age /> },
  { key: "due", head: t.inbox.columns.due, cell: ({ dueAt }) => <Time at={dueAt} absent={t.inbox.noDue} age /> },
  {
    key: "status",
    head: t.inbox.columns.status,
    cell: ({ status }) => <StatusBadge tone={TONES[status]}>{t.inbox.states[status]}</StatusBadge>,
  },
];

/** What waits for a decision, the most urgent first. */
export function InboxPage() {
  const { page, kind, whose } = useInboxSearch();
  const navigate = useNavigate({ from: "/inbox" });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isBulkOpen, setBulkOpen] = useState(false);
  const query = {
    ...(page === undefined ? {} : { page }),
    ...(kind === undefined ? {} : { kind: [kind] }),
    ...(whose === "all" ? {} : { mine: "true" }),
    sort: ["dueAt" as const],
  };
  const list = useQuery({
    queryKey: listKey("review", query),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/reviews", { params: { query }, signal })).data,
    placeholderData: (before) => before,
  });
  const change = (key: string, value: string | undefined) =>
    void navigate({ search: (before: object) => ({ ...before, [key]: value, page: undefined }) });
  const toggle = (id: string) =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  const select: Column<Review> = {
    key: "select",
    head: t.inbox.columns.select,
    cell: ({ id, name }) => (
      <input
        type="checkbox"
        aria-label={t.inbox.bulk.choose(name)}
        checked={chosen.has(id)}
        onChange={() => toggle(id)}
      />
    ),
  };
  const marked = list.data?.items.filter(({ id }) => chosen.has(id)) ?? [];
  return (
    <Page
      title={t.inbox.title}
      actions={
        marked.length > 0 && (
          <button type="button" onClick={() => setBulkOpen(true)}>
            {t.inbox.bulk.open(marked.length)}
          </button>
        )
      }
    >
      <Facets
        facets={[
          {
            key: "whose",
            label: t.inbox.whose,
            all: t.inbox.mine,
            options: [{ value: "all", label: t.inbox.all }],
            value: whose,
          },
          {
            key: "kind",
            label: t.inbox.kind,
            options: REVIEW_KINDS.map((value) => ({ value, label: t.inbox.kinds[value] })),
            value: kind,
          },
        ]}
        onChange={change}
        onClear={() => void navigate({ search: {} })}
      />
      <Loaded query={list}>
        {(data) => (
          <DataTable
            caption={t.inbox.list}
            columns={[select, ...COLUMNS]}
            page={data}
            rowKey={({ id }) => id}
            empty={<Empty {...t.inbox.empty} />}
            onPage={(to) => void navigate({ search: (before: object) => ({ ...before, page: to || undefined }) })}
          />
        )}
      </Loaded>
      {isBulkOpen && (
        <Suspense>
          <BulkDialog
            reviews={marked}
            onClose={() => {
              setBulkOpen(false);
              setChosen(new Set());
            }}
          />
        </Suspense>
      )}
    </Page>
  );
}
