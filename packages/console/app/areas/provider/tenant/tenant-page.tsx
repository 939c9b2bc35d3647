import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { ProviderNav } from "../provider-nav.js";
import { type Organisation, TENANT_TONES, TENANTS } from "../terms.js";
import { Entitlements } from "./entitlements.js";
import { People } from "./people.js";
import { TenantActs } from "./tenant-acts.js";
import { TenantSwitch } from "./tenant-switch.js";

/** One tenant as the provider sees it: its state, what it holds and may hold, its people. No data of its own. */
export function TenantPage() {
  const { tenantId = "" } = useParams({ strict: false });
  const may = useMay();
  const tenant = useQuery({
    queryKey: [...TENANTS, tenantId],
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/support/orgs/{tenantId}", { params: { path: { tenantId } }, signal })).data,
  });
  return (
    <Loaded query={tenant}>
      {(data) => (
        <Page
          title={data.name}
          heading={<Text>{data.name}</Text>}
          actions={may("support:tenants") && <TenantActs tenant={data} />}
        >
          <ProviderNav />
          <DefinitionList items={factsOf(data)} />
          <p>
            <Link to="/activity" search={{ subject: tenantId }}>
              {t.provider.tenant.toActivity}
            </Link>
          </p>
          <TenantSwitch tenantId={tenantId} />
          <Entitlements tenant={data} />
          <People tenantId={tenantId} />
        </Page>
      )}
    </Loaded>
  );
}

function factsOf({ id, status, subdomain, alias, statusChangedAt, createdAt, counts }: Organisation) {
  const { facts } = t.provider.tenant;
  const { columns, states } = t.provider.tenants;
  return [
    [facts.id, <Text key="i">{id}</Text>],
    [
      columns.status,
      <StatusBadge key="s" tone={TENANT_TONES[status]}>
        {states[status]}
      </StatusBadge>,
    ],
    [facts.since, <Time key="c" at={statusChangedAt} />],
    [facts.made, <Time key="m" at={createdAt} />],
    [columns.subdomain, subdomain === "" ? t.none : <Text key="d">{subdomain}</Text>],
    [facts.alias, alias === null ? t.none : <Text key="a">{alias}</Text>],
    ...Object.entries(counts).map(([name, count]) => [name, t.number(count)] as const),
  ] as const;
}
