import { Link } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { given, only } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import type { Column } from "../../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../../ui/list-page.js";
import { Page } from "../../../ui/page.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { connectionsSearchOf } from "./search.js";
import { type Connection, HEALTH_TONES } from "./terms.js";

const { columns } = t.connections;

const COLUMNS: readonly Column<Connection>[] = [
  {
    key: "name",
    head: columns.name,
    cell: ({ id, name }) => (
      <Link to="/estate/connections/$connectionId" params={{ connectionId: id }}>
        <Text>{name}</Text>
      </Link>
    ),
  },
  { key: "connector", head: columns.connector, cell: ({ providerKey }) => <Text>{providerKey}</Text> },
  { key: "status", head: columns.status, cell: ({ status }) => t.connections.states[status] },
  {
    key: "health",
    head: columns.health,
    cell: ({ health, healthSince }) => (
      <>
        <StatusBadge tone={HEALTH_TONES[health]}>{t.connections.healths[health]}</StatusBadge>{" "}
        <Time at={healthSince} age />
      </>
    ),
  },
  {
    key: "error",
    head: columns.error,
    cell: ({ healthReason }) =>
      healthReason ? <Text>{healthReason.message}</Text> : <span className="muted">{t.none}</span>,
  },
  {
    key: "checked",
    head: columns.checked,
    cell: ({ lastCheckAt }) => <Time at={lastCheckAt} absent={t.time.never} age />,
  },
];

/** Connections to systems, with how each works. */
export function ConnectionsPage() {
  const may = useMay();
  const filters = useListSearch(connectionsSearchOf);
  const { page, status, health } = filters.search;
  const list = useList(
    "connector_instance",
    given({ page, status: only(status), health: only(health) }),
    (query, signal) => client.GET("/api/v1/connector-instances", { params: { query }, signal }),
  );
  return (
    <Page
      title={t.connections.title}
      actions={may("connector:write") && <Link to="/estate/connections/new">{t.connections.settings.create}</Link>}
    >
      <ListView
        savedAs="estate/connections"
        filters={filters}
        facets={[
          filters.facet("health", columns.health, t.connections.healths),
          filters.facet("status", columns.status, t.connections.states),
        ]}
        list={list}
        caption={t.connections.list}
        columns={COLUMNS}
        empty={t.connections.empty}
      />
    </Page>
  );
}
