import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { client } from "../../api/client.js";
import { listKey } from "../../api/keys.js";
import { useMay } from "../../api/me.js";
import { t } from "../../texts/index.js";
import { type Column, DataTable } from "../../ui/data-table.js";
import { Facets } from "../../ui/facets.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { Empty } from "../../ui/states.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Invite } from "./invite.js";
import { usePeopleSearch } from "./search.js";
import { roleName, STATUS_TONES, STATUSES, type User } from "./terms.js";

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
  const { page, status } = usePeopleSearch();
  const may = useMay();
  const navigate = useNavigate({ from: "/administration" });
  const query = {
    ...(page === undefined ? {} : { page }),
    ...(status === undefined ? {} : { status: [status] }),
  };
  const list = useQuery({
    queryKey: listKey("user", query),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/users", { params: { query }, signal })).data,
    placeholderData: (before) => before,
  });
  const change = (changed: object) =>
    void navigate({ search: (before: object) => ({ ...before, page: undefined, ...changed }) });
  return (
    <Page title={t.administration.people} actions={may("user:write") && <Invite />}>
      <Facets
        facets={[
          {
            key: "status",
            label: t.administration.columns.status,
            options: STATUSES.map((value) => ({ value, label: t.administration.states[value] })),
            value: status,
          },
        ]}
        onChange={(key, value) => change({ [key]: value })}
        onClear={() => void navigate({ search: {} })}
      />
      <Loaded query={list}>
        {(data) => (
          <DataTable
            caption={t.administration.list}
            columns={COLUMNS}
            page={data}
            rowKey={({ id }) => id}
            empty={<Empty {...t.administration.empty} />}
            onPage={(to) => change({ page: to || undefined })}
          />
        )}
      </Loaded>
    </Page>
  );
}
