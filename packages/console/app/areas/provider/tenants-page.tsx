import { Link } from "@tanstack/react-router";
import { client } from "../../api/client.js";
import { given, only } from "../../api/search.js";
import { t } from "../../texts/index.js";
import type { Column } from "../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../ui/list-page.js";
import { Page } from "../../ui/page.js";
import { SearchField } from "../../ui/search-field.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { ProviderNav } from "./provider-nav.js";
import { tenantsSearchOf } from "./search.js";
import { type Organisation, TENANT_TONES } from "./terms.js";

const { columns: heads } = t.provider.tenants;

const COLUMNS: readonly Column<Organisation>[] = [
  {
    key: "name",
    head: heads.name,
    cell: ({ id, name }) => (
      <Link to="/provider/tenants/$tenantId" params={{ tenantId: id }}>
        <Text>{name}</Text>
      </Link>
    ),
  },
  {
    key: "status",
    head: heads.status,
    cell: ({ status }) => <StatusBadge tone={TENANT_TONES[status]}>{t.provider.tenants.states[status]}</StatusBadge>,
  },
  {
    key: "subdomain",
    head: heads.subdomain,
    cell: ({ subdomain }) => (subdomain === "" ? t.provider.tenants.erased : <Text>{subdomain}</Text>),
  },
  { key: "users", head: heads.users, align: "end", cell: ({ counts }) => t.number(counts.users ?? 0) },
  { key: "assets", head: heads.assets, align: "end", cell: ({ counts }) => t.number(counts.assets ?? 0) },
  { key: "since", head: heads.since, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** All tenants, with how much they hold. */
export function TenantsPage() {
  const filters = useListSearch(tenantsSearchOf);
  const { page, status, name } = filters.search;
  const query = given({ page, status: only(status), search: name });
  const list = useList("support_tenant", query, (wanted, signal) =>
    client.GET("/api/v1/support/orgs", { params: { query: wanted }, signal }),
  );
  return (
    <Page title={t.provider.title}>
      <ProviderNav />
      <SearchField
        label={heads.name}
        value={name}
        onChange={(value) => filters.change({ name: value || undefined }, true)}
      />
      <ListView
        savedAs="provider/tenants"
        filters={filters}
        facets={[filters.facet("status", heads.status, t.provider.tenants.states)]}
        list={list}
        caption={t.provider.tenants.list}
        columns={COLUMNS}
        empty={t.provider.tenants.empty}
      />
    </Page>
  );
}
