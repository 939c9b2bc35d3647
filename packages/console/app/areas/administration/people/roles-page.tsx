import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { t } from "../../../texts/index.js";
import { type Column, DataTable, wholePage } from "../../../ui/data-table.js";
import { Facets } from "../../../ui/facets.js";
import { useListSearch } from "../../../ui/list-page.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { Text } from "../../../ui/text.js";
import { AdministrationNav } from "../administration-nav.js";
import { roleSearchOf } from "../search.js";
import { type Roles, roleName } from "../terms.js";
import { rolesQuery } from "./roles-query.js";

const words = t.administration.rolePage;

type Role = Roles["items"][number];
type Permission = Roles["permissions"][number];

/** The roles that people can have, what each permits in words, and the way to who has it. */
export function RolesPage() {
  const { search, change, clear, facet } = useListSearch(roleSearchOf);
  const roles = useQuery(rolesQuery);
  return (
    <Page title={words.title}>
      <AdministrationNav />
      <p>{words.adds}</p>
      <Loaded query={roles}>
        {({ items, permissions }) => {
          const shown = search.role === undefined ? items : items.filter(({ name }) => name === search.role);
          const given = new Set(shown.flatMap((role) => role.permissions));
          const named = Object.fromEntries(items.map(({ name }) => [name, roleName(name)]));
          return (
            <>
              <DataTable
                caption={words.list}
                columns={ROLE_COLUMNS}
                page={wholePage(items)}
                rowKey={({ name }) => name}
                empty={null}
              />
              <h2>{words.permissions}</h2>
              <Facets
                facets={[facet("role", words.role, named, words.all)]}
                onChange={(key, value) => change({ [key]: value })}
                onClear={clear}
              />
              <DataTable
                caption={words.permissions}
                columns={permissionColumns(items)}
                page={wholePage(permissions.filter(({ name }) => given.has(name)))}
                rowKey={({ name }) => name}
                empty={null}
              />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

const ROLE_COLUMNS: readonly Column<Role>[] = [
  {
    key: "role",
    head: words.columns.role,
    cell: ({ name, builtIn }) => (
      <>
        <Text>{roleName(name)}</Text> {!builtIn && <span className="muted small">{words.own}</span>}
      </>
    ),
  },
  { key: "about", head: words.columns.about, cell: ({ description }) => <Text>{description}</Text> },
  {
    key: "permits",
    head: words.columns.permits,
    cell: ({ name, permissions }) => (
      <Link to="/administration/roles" search={{ role: name }}>
        {words.count(permissions.length)}
      </Link>
    ),
  },
  {
    key: "people",
    head: words.columns.people,
    cell: ({ name }) => (
      <Link to="/administration" search={{ role: name }} aria-label={words.peopleOf(roleName(name))}>
        {words.people}
      </Link>
    ),
  },
];

const permissionColumns = (roles: readonly Role[]): readonly Column<Permission>[] => [
  { key: "lets", head: words.permission.lets, cell: ({ lets }) => <Text>{lets}</Text> },
  {
    key: "roles",
    head: words.permission.roles,
    cell: ({ name }) => {
      const holders = roles.filter(({ permissions }) => permissions.includes(name));
      return <Text>{holders.map((role) => roleName(role.name)).join(", ")}</Text>;
    },
  },
  {
    key: "machines",
    head: words.permission.machines,
    cell: ({ peopleOnly }) => (peopleOnly ? words.peopleOnly : words.machines),
  },
  { key: "name", head: words.permission.name, cell: ({ name }) => <code>{name}</code> },
];
