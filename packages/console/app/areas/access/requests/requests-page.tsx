import { Link } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { useMe } from "../../../api/me.js";
import { given, only } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import type { Column } from "../../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../../ui/list-page.js";
import { Page } from "../../../ui/page.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { Parts, ToAsking } from "../parts.js";
import { requestSearchOf } from "../search.js";
import { REQUEST_TONES, type Request } from "../terms.js";

const { columns } = t.access.requests;

const COLUMNS: readonly Column<Request>[] = [
  {
    key: "name",
    head: columns.name,
    cell: ({ id, name }) => (
      <Link to="/access/requests/$requestId" params={{ requestId: id }}>
        <Text>{name}</Text>
      </Link>
    ),
  },
  { key: "permits", head: columns.permits, cell: ({ wouldAllow }) => <Text>{wouldAllow.join(" ")}</Text> },
  {
    key: "status",
    head: columns.status,
    cell: ({ status }) => <StatusBadge tone={REQUEST_TONES[status]}>{t.access.requestStates[status]}</StatusBadge>,
  },
  {
    key: "waits",
    head: columns.waits,
    cell: ({ waitingFor }) => (waitingFor ? <Text>{waitingFor.why}</Text> : <span className="muted">{t.none}</span>),
  },
  { key: "asked", head: columns.asked, cell: ({ createdAt }) => <Time at={createdAt} age /> },
];

/** One's own requests and how they stand, or those of everybody. */
export function RequestsPage() {
  const filters = useListSearch(requestSearchOf);
  const { id: me } = useMe();
  const { page, status, whose } = filters.search;
  const query = given({ page, status: only(status), requestedBy: whose === "all" ? undefined : [me] });
  const list = useList("access_request", query, (query, signal) =>
    client.GET("/api/v1/access-requests", { params: { query }, signal }),
  );
  return (
    <Page title={t.access.requests.title} actions={<ToAsking />}>
      <Parts />
      <ListView
        savedAs="access/requests"
        filters={filters}
        facets={[
          filters.facet("whose", t.access.requests.whose, { all: t.access.requests.all }, t.access.requests.mine),
          filters.facet("status", columns.status, t.access.requestStates),
        ]}
        list={list}
        caption={t.access.requests.list}
        columns={COLUMNS}
        empty={t.access.requests.empty}
      />
    </Page>
  );
}
