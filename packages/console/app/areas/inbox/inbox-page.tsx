import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { client } from "../../api/client.js";
import { listKey } from "../../api/keys.js";
import { t } from "../../texts/index.js";
import { type Column, DataTable } from "../../ui/data-table.js";
import { Facets } from "../../ui/facets.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { Empty } from "../../ui/states.js";
import { StatusBadge, type Tone } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { REVIEW_KINDS, type Review } from "./kinds.js";
import { useInboxSearch } from "./search.js";

const TONES: Readonly<Record<Review["status"], Tone>> = { waiting: "busy", overdue: "warning", lapsed: "neutral" };

const COLUMNS: readonly Column<Review>[] = [
  { key: "name", head: t.inbox.columns.name, cell: ({ name }) => <Text>{name}</Text> },
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
  return (
    <Page title={t.inbox.title}>
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
            columns={COLUMNS}
            page={data}
            rowKey={({ id }) => id}
            empty={<Empty {...t.inbox.empty} />}
            onPage={(to) => void navigate({ search: (before: object) => ({ ...before, page: to || undefined }) })}
          />
        )}
      </Loaded>
    </Page>
  );
}
