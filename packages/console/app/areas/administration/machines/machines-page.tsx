import { Link } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { given, only } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import type { Column } from "../../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../../ui/list-page.js";
import { Page } from "../../../ui/page.js";
import { SearchField } from "../../../ui/search-field.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { AdministrationNav } from "../administration-nav.js";
import { machinesSearchOf } from "../search.js";
import { MACHINE_TONES, type Machine } from "../terms.js";

const { columns: heads, states } = t.administration.machines;

const COLUMNS: readonly Column<Machine>[] = [
  {
    key: "name",
    head: heads.name,
    cell: ({ id, name }) => (
      <Link to="/administration/machines/$identityId" params={{ identityId: id }}>
        <Text>{name}</Text>
      </Link>
    ),
  },
  {
    key: "status",
    head: heads.status,
    cell: ({ status }) => <StatusBadge tone={MACHINE_TONES[status]}>{states[status]}</StatusBadge>,
  },
  { key: "scopes", head: heads.scopes, align: "end", cell: ({ scopes }) => t.number(scopes.length) },
  { key: "used", head: heads.used, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} absent={t.unknown} age /> },
  {
    key: "ends",
    head: heads.ends,
    cell: ({ credentialExpiresAt }) => <Time at={credentialExpiresAt} absent={t.none} age />,
  },
];

/** The identities of machines, with what they may do and until when. */
export function MachinesPage() {
  const filters = useListSearch(machinesSearchOf);
  const { page, status, name } = filters.search;
  const query = given({ page, status: only(status), search: name });
  const list = useList("ai_identity", query, (wanted, signal) =>
    client.GET("/api/v1/ai/identities", { params: { query: wanted }, signal }),
  );
  return (
    <Page title={t.administration.navigation.machines}>
      <AdministrationNav />
      <SearchField label={heads.name} value={name} onChange={(value) => filters.change({ name: value }, true)} />
      <ListView
        savedAs="administration/machines"
        filters={filters}
        facets={[filters.facet("status", heads.status, states)]}
        list={list}
        caption={t.administration.machines.list}
        columns={COLUMNS}
        empty={t.administration.machines.empty}
      />
    </Page>
  );
}
