import { useQuery } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { type Column, DataTable } from "../../../ui/data-table.js";
import { Loaded } from "../../../ui/loaded.js";
import { Empty } from "../../../ui/states.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { type Entitlement, type Organisation, TENANTS } from "../terms.js";
import { Grant } from "./grant.js";

const { columns: heads, kinds, states } = t.provider.entitlements;

const COLUMNS: readonly Column<Entitlement>[] = [
  { key: "kind", head: heads.kind, cell: ({ kind }) => kinds[kind] },
  { key: "key", head: heads.key, cell: ({ key }) => <Text>{key}</Text> },
  {
    key: "status",
    head: heads.status,
    cell: ({ status }) => <StatusBadge tone={status === "licensed" ? "good" : "neutral"}>{states[status]}</StatusBadge>,
  },
  {
    key: "value",
    head: heads.value,
    align: "end",
    cell: ({ value }) => <Text>{value === null ? "" : `${value}`}</Text>,
  },
  { key: "ends", head: heads.ends, cell: ({ expiresAt }) => <Time at={expiresAt} absent={t.time.never} /> },
];

/** What a tenant is entitled to, and how the provider changes it. */
export function Entitlements({ tenant }: { readonly tenant: Organisation }) {
  const { id: tenantId } = tenant;
  const may = useMay();
  const list = useQuery({
    queryKey: [...TENANTS, tenantId, "entitlements"],
    queryFn: async ({ signal }) => {
      const params = { path: { tenantId }, query: { size: 100 } };
      return (await client.GET("/api/v1/support/tenants/{tenantId}/entitlements", { params, signal })).data;
    },
  });
  const mayGrant = may("support:entitlements");
  const change: Column<Entitlement> = {
    key: "change",
    head: heads.change,
    cell: (held) => <Grant tenant={tenant} held={held} />,
  };
  return (
    <section aria-label={t.provider.entitlements.title}>
      <h2>{t.provider.entitlements.title}</h2>
      {mayGrant && <Grant tenant={tenant} />}
      <Loaded query={list}>
        {(page) => (
          <DataTable
            caption={t.provider.entitlements.title}
            columns={mayGrant ? [...COLUMNS, change] : COLUMNS}
            page={page}
            rowKey={({ id }) => id}
            empty={<Empty {...t.provider.entitlements.empty} />}
          />
        )}
      </Loaded>
    </section>
  );
}
