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
import { assignmentSearchOf } from "../search.js";
import { ASSIGNMENT_TONES, type NamedAssignment, USAGE_TONES } from "../terms.js";

const { columns } = t.access.assignments;

const COLUMNS: readonly Column<NamedAssignment>[] = [
  { key: "who", head: columns.who, cell: ({ assetId, assetName }) => <Text>{assetName ?? assetId}</Text> },
  {
    key: "what",
    head: columns.what,
    cell: ({ id, name }) => (
      <Link to="/access/assignments/$assignmentId" params={{ assignmentId: id }}>
        <Text>{name}</Text>
      </Link>
    ),
  },
  { key: "where", head: columns.where, cell: ({ targetName }) => <Text>{targetName}</Text> },
  {
    key: "usage",
    head: columns.usage,
    cell: ({ usageState, usageUnknownBecause: because, lastUsedAt }) => (
      <>
        <StatusBadge tone={USAGE_TONES[usageState]}>{t.access.usage[usageState]}</StatusBadge>{" "}
        {lastUsedAt && <Time at={lastUsedAt} age />}
        {because.length > 0 && (
          <div className="muted small">{because.map((one) => t.access.assignment.because[one]).join(" ")}</div>
        )}
      </>
    ),
  },
  {
    key: "status",
    head: columns.status,
    cell: ({ status }) => (
      <StatusBadge tone={ASSIGNMENT_TONES[status]}>{t.access.assignmentStates[status]}</StatusBadge>
    ),
  },
  {
    key: "ends",
    head: columns.ends,
    cell: ({ expiresAt, isPermanent }) => (
      <Time at={expiresAt} absent={isPermanent ? t.access.assignments.noEnd : t.unknown} age />
    ),
  },
];

/** Who may do what in which system, and whether it is used. */
export function AssignmentsPage() {
  const filters = useListSearch(assignmentSearchOf);
  const { page, status, seen, target } = filters.search;
  const query = given({ page, status: only(status), targetState: only(seen), connectorInstanceId: only(target) });
  const list = useList("access_assignment", query, (query, signal) =>
    client.GET("/api/v1/access-assignments", { params: { query }, signal }),
  );
  return (
    <Page title={t.access.assignments.title} actions={<ToAsking />}>
      <Parts />
      <ListView
        savedAs="access/assignments"
        filters={filters}
        facets={[
          filters.facet("status", columns.status, t.access.assignmentStates),
          filters.facet("seen", t.access.assignments.seen, t.access.seen),
        ]}
        list={list}
        caption={t.access.assignments.list}
        columns={COLUMNS}
        empty={t.access.assignments.empty}
      />
    </Page>
  );
}
