import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { client, type components } from "../../api/client.js";
import { figureKey, listKey } from "../../api/keys.js";
import { useMay } from "../../api/me.js";
import { t } from "../../texts/index.js";
import { type Column, DataTable } from "../../ui/data-table.js";
import { type Facet, Facets } from "../../ui/facets.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { SearchField } from "../../ui/search-field.js";
import { Empty } from "../../ui/states.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { SEVERITY_TONES } from "../findings/terms.js";
import { type PoliciesSearch, usePoliciesSearch } from "./search.js";
import { ASSET_TYPES, KINDS, POLICY_TONES, type Policy, SEVERITIES, STATUSES } from "./terms.js";

const words = t.policies;

/** So many policies are named with the numbers of their findings. */
const COUNTED = 100;

type OpenFindings = components["schemas"]["GovernanceDashboard"]["topPolicies"];

const queryOf = ({ page, q, status, kind, severity, type, unmatched }: PoliciesSearch) => ({
  ...(page ? { page } : {}),
  ...(q ? { search: q } : {}),
  ...(status ? { status: [status] } : {}),
  ...(kind ? { kind: [kind] } : {}),
  ...(severity ? { severity: [severity] } : {}),
  ...(type ? { assetType: [type] } : {}),
  ...(unmatched ? { unmatched: ["true" as const] } : {}),
});

/** All policies by filters, with their states and open findings. */
export function PoliciesPage() {
  const search = usePoliciesSearch();
  const navigate = useNavigate({ from: "/policies" });
  const may = useMay();
  const query = queryOf(search);
  const list = useQuery({
    queryKey: listKey("ai_policy", query),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai-governance/policies", { params: { query }, signal })).data,
    placeholderData: (before) => before,
  });
  const seesFindings = may("ai-finding:read");
  const counts = useQuery({
    enabled: seesFindings,
    queryKey: figureKey("open findings of policies", ["finding"]),
    queryFn: async ({ signal }) => {
      const params = { query: { size: COUNTED } };
      return (await client.GET("/api/v1/ai-governance/dashboard/summary", { params, signal })).data.topPolicies;
    },
  });
  const change = (key: string, value: string | undefined) =>
    void navigate({
      search: (before: object) => ({ ...before, [key]: value, page: undefined }),
      replace: key === "q",
    });
  return (
    <Page title={words.title} actions={may("ai-policy:write") && <Link to="/policies/new">{words.create}</Link>}>
      <SearchField label={words.search} value={search.q} onChange={(value) => change("q", value)} />
      <Facets facets={facetsOf(search)} onChange={change} onClear={() => void navigate({ search: {} })} />
      <Loaded query={list}>
        {(data) => (
          <DataTable
            caption={words.list}
            columns={columnsOf(counts.data)}
            page={data}
            rowKey={({ id }) => id}
            empty={<Empty {...words.empty} />}
            onPage={(to) => void navigate({ search: (before: object) => ({ ...before, page: to || undefined }) })}
          />
        )}
      </Loaded>
    </Page>
  );
}

function facetsOf({ status, kind, severity, type, unmatched }: PoliciesSearch): readonly Facet[] {
  const options = <K extends string>(values: readonly K[], named: Readonly<Record<K, string>>) =>
    values.map((value) => ({ value, label: named[value] }));
  return [
    { key: "status", label: words.columns.status, options: options(STATUSES, words.statuses), value: status },
    { key: "kind", label: words.columns.kind, options: options(KINDS, words.kinds), value: kind },
    {
      key: "severity",
      label: words.columns.severity,
      options: options(SEVERITIES, t.findings.severities),
      value: severity,
    },
    { key: "type", label: words.facts.selector, options: options(ASSET_TYPES, t.estate.types), value: type },
    {
      key: "unmatched",
      label: words.unmatched,
      options: [{ value: "yes", label: words.onlyUnmatched }],
      value: unmatched,
    },
  ];
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
