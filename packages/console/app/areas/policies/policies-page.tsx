import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client, type components } from "../../api/client.js";
import { figureKey } from "../../api/keys.js";
import { useMay } from "../../api/me.js";
import { given, only } from "../../api/search.js";
import { t } from "../../texts/index.js";
import type { Column } from "../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../ui/list-page.js";
import { Page } from "../../ui/page.js";
import { SearchField } from "../../ui/search-field.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { SEVERITY_TONES } from "../findings/terms.js";
import { type PoliciesSearch, policiesSearchOf } from "./search.js";
import { POLICY_TONES, type Policy } from "./terms.js";

const words = t.policies;

/** So many policies are named with the numbers of their findings. */
const COUNTED = 100;

type OpenFindings = components["schemas"]["GovernanceDashboard"]["topPolicies"];

const queryOf = ({ page, q, status, kind, severity, type, unmatched }: PoliciesSearch) =>
  given({
    page,
    search: q,
    status: only(status),
    kind: only(kind),
    severity: only(severity),
    assetType: only(type),
    unmatched: unmatched && ["true" as const],
  });

/** All policies by filters, with their states and open findings. */
export function PoliciesPage() {
  const filters = useListSearch(policiesSearchOf);
  const may = useMay();
  const list = useList("ai_policy", queryOf(filters.search), (query, signal) =>
    client.GET("/api/v1/ai-governance/policies", { params: { query }, signal }),
  );
  const counts = useQuery({
    enabled: may("ai-finding:read"),
    queryKey: figureKey("open findings of policies", ["finding"]),
    queryFn: async ({ signal }) => {
      const params = { query: { size: COUNTED } };
      return (await client.GET("/api/v1/ai-governance/dashboard/summary", { params, signal })).data.topPolicies;
    },
  });
  return (
    <Page title={words.title} actions={may("ai-policy:write") && <Link to="/policies/new">{words.create}</Link>}>
      <SearchField label={words.search} value={filters.search.q} onChange={(q) => filters.change({ q }, true)} />
      <ListView
        savedAs="policies"
        filters={filters}
        facets={[
          filters.facet("status", words.columns.status, words.statuses),
          filters.facet("kind", words.columns.kind, words.kinds),
          filters.facet("severity", words.columns.severity, t.findings.severities),
          filters.facet("type", words.facts.selector, t.estate.types),
          filters.facet("unmatched", words.unmatched, { yes: words.onlyUnmatched }),
        ]}
        list={list}
        caption={words.list}
        columns={columnsOf(counts.data)}
        empty={words.empty}
      />
    </Page>
  );
}

function columnsOf(counts: OpenFindings | undefined): readonly Column<Policy>[] {
  return [
    {
      key: "name",
      head: words.columns.name,
      cell: ({ id, name, pending }) => (
        <>
          <Link to="/policies/$policyId" params={{ policyId: id }}>
            <Text>{name}</Text>
          </Link>{" "}
          {pending && <StatusBadge tone="busy">{words.waiting}</StatusBadge>}
        </>
      ),
    },
    {
      key: "status",
      head: words.columns.status,
      cell: ({ status }) => <StatusBadge tone={POLICY_TONES[status]}>{words.statuses[status]}</StatusBadge>,
    },
    { key: "kind", head: words.columns.kind, cell: ({ kind }) => words.kinds[kind] },
    {
      key: "severity",
      head: words.columns.severity,
      cell: ({ severity }) => (
        <StatusBadge tone={SEVERITY_TONES[severity]}>{t.findings.severities[severity]}</StatusBadge>
      ),
    },
    { key: "revision", head: words.columns.revision, align: "end", cell: ({ revision }) => t.number(revision) },
    { key: "findings", head: words.columns.findings, align: "end", cell: (policy) => openOf(policy, counts) },
    { key: "changed", head: words.columns.changed, cell: ({ updatedAt }) => <Time at={updatedAt} age /> },
  ];
}

/** The open findings of a policy. Those with most are counted; of others it is known while all with any are named. */
function openOf({ key, kind }: Policy, counts: OpenFindings | undefined) {
  if (kind === "runtime") return t.none;
  const found = counts?.find(({ policyKey }) => policyKey === key)?.open;
  if (found !== undefined) return t.number(found);
  return counts && counts.length < COUNTED ? t.number(0) : t.unknown;
}
