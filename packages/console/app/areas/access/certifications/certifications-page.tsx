import { Link } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { given, only } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import type { Column } from "../../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../../ui/list-page.js";
import { Page } from "../../../ui/page.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { Parts, ToAsking } from "../parts.js";
import { searchOf } from "../search.js";
import { CERTIFICATION_TONES, type Certification } from "../terms.js";

const COLUMNS: readonly Column<Certification>[] = [
  {
    key: "name",
    head: t.access.columns.name,
    cell: ({ id, name }) => (
      <Link to="/access/certifications/$certificationId" params={{ certificationId: id }}>
        <Text>{name}</Text>
      </Link>
    ),
  },
  {
    key: "status",
    head: t.access.columns.status,
    cell: ({ status }) => <StatusBadge tone={CERTIFICATION_TONES[status]}>{t.access.states[status]}</StatusBadge>,
  },
  {
    key: "left",
    head: t.access.columns.left,
    align: "end",
    cell: ({ counts }) => t.number((counts.pending ?? 0) + (counts.held ?? 0)),
  },
  { key: "due", head: t.access.columns.due, cell: ({ dueAt }) => <Time at={dueAt} absent={t.none} age /> },
];

/** The certifications of access, the newest first. */
export function CertificationsPage() {
  const filters = useListSearch(searchOf);
  const { page, status } = filters.search;
  const list = useList("access_certification", given({ page, status: only(status) }), (query, signal) =>
    client.GET("/api/v1/access-certifications", { params: { query }, signal }),
  );
  return (
    <Page title={t.access.title} actions={<ToAsking />}>
      <Parts />
      <ListView
        savedAs="access/certifications"
        filters={filters}
        facets={[filters.facet("status", t.access.columns.status, t.access.states)]}
        list={list}
        caption={t.access.list}
        columns={COLUMNS}
        empty={t.access.empty}
      />
    </Page>
  );
}
