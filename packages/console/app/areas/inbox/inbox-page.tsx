import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { client } from "../../api/client.js";
import { given, only } from "../../api/search.js";
import { t } from "../../texts/index.js";
import type { Column } from "../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../ui/list-page.js";
import { Page } from "../../ui/page.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { type Review, TONES } from "./kinds.js";
import { searchOf } from "./search.js";

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
  const filters = useListSearch(searchOf);
  const { page, kind, whose } = filters.search;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isBulkOpen, setBulkOpen] = useState(false);
  const query = given({
    page,
    kind: only(kind),
    mine: whose === "all" ? undefined : ("true" as const),
    sort: ["dueAt" as const],
  });
  const list = useList("review", query, (query, signal) =>
    client.GET("/api/v1/reviews", { params: { query }, signal }),
  );
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
      <ListView
        savedAs="inbox"
        filters={filters}
        facets={[
          filters.facet("whose", t.inbox.whose, { all: t.inbox.all }, t.inbox.mine),
          filters.facet("kind", t.inbox.kind, t.inbox.kinds),
        ]}
        list={list}
        caption={t.inbox.list}
        columns={[select, ...COLUMNS]}
        empty={t.inbox.empty}
      />
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
