import { useQuery } from "@tanstack/react-query";
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
import { AdministrationNav } from "../administration-nav.js";
import { searchOf } from "../search.js";
import { roleName, STATUS_TONES, type User } from "../terms.js";
import { Invite } from "./invite.js";
import { rolesQuery } from "./roles-query.js";

const COLUMNS: readonly Column<User>[] = [
  {
    key: "name",
    head: t.administration.columns.name,
    cell: ({ id, name }) => (
      <Link to="/administration/people/$userId" params={{ userId: id }}>
        <Text>{name}</Text>
      </Link>
    ),
  },
  { key: "username", head: t.administration.columns.username, cell: ({ username }) => <Text>{username}</Text> },
  {
    key: "roles",
    head: t.administration.columns.roles,
    cell: ({ roles }) => <Text>{roles.map(roleName).join(", ") || t.none}</Text>,
  },
  {
    key: "status",
    head: t.administration.columns.status,
    cell: ({ status }) => <StatusBadge tone={STATUS_TONES[status]}>{t.administration.states[status]}</StatusBadge>,
  },
];

/** The people of the organisation, and their roles. */
export function PeoplePage() {
  const filters = useListSearch(searchOf);
  const { page, status, role } = filters.search;
  const roles = useQuery(rolesQuery);
  const named = Object.fromEntries((roles.data?.items ?? []).map(({ name }) => [name, roleName(name)]));
  const may = useMay();
  const list = useList("user", given({ page, status: only(status), role: only(role) }), (query, signal) =>
    client.GET("/api/v1/users", { params: { query }, signal }),
  );
  return (
    <Page title={t.administration.people} actions={may("user:write") && <Invite />}>
      <AdministrationNav />
      <ListView
        savedAs="administration/people"
        filters={filters}
        facets={[
          filters.facet("status", t.administration.columns.status, t.administration.states),
          filters.facet("role", t.administration.rolePage.role, named),
        ]}
        list={list}
        caption={t.administration.list}
        columns={COLUMNS}
        empty={t.administration.empty}
      />
    </Page>
  );
}
