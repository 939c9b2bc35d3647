import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { client } from "../../api/client.js";
import { figureKey, listKey } from "../../api/keys.js";
import { t } from "../../texts/index.js";
import { type Column, DataTable } from "../../ui/data-table.js";
import { Facets } from "../../ui/facets.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { Empty } from "../../ui/states.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { type FindingsSearch, useFindingsSearch } from "./search.js";
import { SeverityBars } from "./severity-bars.js";
import { type Finding, SEVERITIES, SEVERITY_TONES, STATUS_TONES, STATUSES } from "./terms.js";

const COLUMNS: readonly Column<Finding>[] = [
  {
    key: "title",
    head: t.findings.columns.title,
    cell: ({ id, title }) => (
      <Link to={"/findings/$findingId"} params={{ findingId: id }}>
        <Text>{title}</Text>
      </Link>
    ),
  },
  { key: "asset", head: t.findings.columns.asset, cell: ({ assetName }) => <Text>{assetName}</Text> },
  {
    key: "severity",
    head: t.findings.columns.severity,
    cell: ({ effectiveSeverity: of }) => (
      <StatusBadge tone={SEVERITY_TONES[of]}>{t.findings.severities[of]}</StatusBadge>
    ),
  },
  {
    key: "status",
    head: t.findings.columns.status,
    cell: ({ status }) => <StatusBadge tone={STATUS_TONES[status]}>{t.findings.states[status]}</StatusBadge>,
  },
  { key: "since", head: t.findings.columns.since, cell: ({ createdAt }) => <Time at={createdAt} age /> },
  { key: "due", head: t.findings.columns.due, cell: ({ dueAt }) => <Time at={dueAt} absent={t.none} age /> },
];

const queryOf = ({ page, status, severity, late, baseline, assetId, policyId }: FindingsSearch) => ({
  ...(page === undefined ? {} : { page }),
  ...(status === undefined ? {} : { status: [status] }),
  ...(severity === undefined ? {} : { severity: [severity] }),
  ...(late === undefined ? {} : { slaBreached: ["true" as const] }),
  ...(baseline === undefined ? {} : { baseline: [baseline === "yes" ? ("true" as const) : ("false" as const)] }),
  ...(assetId === undefined ? {} : { assetId: [assetId] }),
  ...(policyId === undefined ? {} : { policyId: [policyId] }),
  sort: ["-severity" as const],
});

/** Findings, the gravest first, with how many there are of each severity. */
export function FindingsPage() {
  const search = useFindingsSearch();
  const navigate = useNavigate({ from: "/findings" });
  const query = queryOf(search);
  const list = useQuery({
    queryKey: listKey("finding", query),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai-governance/findings", { params: { query }, signal })).data,
    placeholderData: (before) => before,
  });
  const dashboard = useQuery({
    queryKey: figureKey("governance", ["finding"]),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/ai-governance/dashboard/summary", { signal })).data,
  });
  const change = (key: string, value: string | undefined) =>
    void navigate({ search: (before: object) => ({ ...before, [key]: value, page: undefined }) });
  const facet = <Name extends string>(
    key: keyof FindingsSearch,
    label: string,
    names: Readonly<Record<Name, string>>,
  ) => ({
    key,
    label,
    options: Object.entries<string>(names).map(([value, text]) => ({ value, label: text })),
    value: search[key] as string | undefined,
  });
  return (
    <Page title={t.findings.title}>
      <Loaded query={dashboard}>{(data) => <SeverityBars dashboard={data} />}</Loaded>
      <Facets
        facets={[
          facet("severity", t.findings.columns.severity, pick(t.findings.severities, SEVERITIES)),
          facet("status", t.findings.columns.status, pick(t.findings.states, STATUSES)),
          facet("late", t.findings.late, { yes: t.findings.onlyLate }),
          facet("baseline", t.findings.baseline, t.findings.baselines),
        ]}
        onChange={change}
        onClear={() => void navigate({ search: {} })}
      />
      <Loaded query={list}>
        {(data) => (
          <DataTable
            caption={t.findings.list}
            columns={COLUMNS}
            page={data}
            rowKey={({ id }) => id}
            empty={<Empty {...t.findings.empty} />}
            onPage={(to) => void navigate({ search: (before: object) => ({ ...before, page: to || undefined }) })}
          />
        )}
      </Loaded>
    </Page>
  );
}

const pick = <Name extends string>(names: Readonly<Record<Name, string>>, order: readonly Name[]) =>
  Object.fromEntries(order.map((name) => [name, names[name]]));
