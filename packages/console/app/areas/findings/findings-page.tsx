import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { client } from "../../api/client.js";
import { figureKey } from "../../api/keys.js";
import { useMay } from "../../api/me.js";
import { given, only } from "../../api/search.js";
import { t } from "../../texts/index.js";
import type { Column } from "../../ui/data-table.js";
import { Field } from "../../ui/field.js";
import { ListView, useList, useListSearch } from "../../ui/list-page.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { Loading } from "../../ui/states.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { type FindingsSearch, RANGES, searchOf } from "./search.js";
import { SeverityBars } from "./severity-bars.js";
import { type Finding, SEVERITY_TONES, STATUS_TONES } from "./terms.js";

// It draws, and d3 is loaded where something is drawn.
const FindingsOverTime = lazy(() =>
  import("./findings-over-time.js").then(({ FindingsOverTime: Part }) => ({ default: Part })),
);

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

const queryOf = ({ page, status, severity, late, baseline, assetId, policyId }: FindingsSearch) =>
  given({
    page,
    status: only(status),
    severity: only(severity),
    slaBreached: late && ["true" as const],
    baseline: baseline && [baseline === "yes" ? ("true" as const) : ("false" as const)],
    assetId: only(assetId),
    policyId: only(policyId),
    sort: ["-severity" as const],
  });

/** Findings, the gravest first, with how many there are of each severity. */
export function FindingsPage() {
  const may = useMay();
  const filters = useListSearch(searchOf);
  const list = useList("finding", queryOf(filters.search), (query, signal) =>
    client.GET("/api/v1/ai-governance/findings", { params: { query }, signal }),
  );
  const dashboard = useQuery({
    queryKey: figureKey("governance", ["finding"]),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/ai-governance/dashboard/summary", { signal })).data,
  });
  return (
    <Page
      title={t.findings.title}
      actions={may("ai-exemption:read") && <Link to="/findings/exemptions">{t.findings.toExemptions}</Link>}
    >
      <Loaded query={dashboard}>{(data) => <SeverityBars dashboard={data} />}</Loaded>
      <OverTime days={filters.search.days} change={(days) => filters.change({ days }, true)} />
      <ListView
        savedAs="findings"
        filters={filters}
        facets={[
          filters.facet("severity", t.findings.columns.severity, t.findings.severities),
          filters.facet("status", t.findings.columns.status, t.findings.states),
          filters.facet("late", t.findings.late, { yes: t.findings.onlyLate }),
          filters.facet("baseline", t.findings.baseline, t.findings.baselines),
        ]}
        list={list}
        caption={t.findings.list}
        columns={COLUMNS}
        empty={t.findings.empty}
      />
    </Page>
  );
}

interface OverTimeProps {
  readonly days: FindingsSearch["days"];
  readonly change: (days: FindingsSearch["days"]) => void;
}

/** The picture of the last days. How many they are stands in the address. */
function OverTime({ days = 90, change }: OverTimeProps) {
  const words = t.findings.overTime;
  return (
    <section>
      <h2>{words.title}</h2>
      <div className="facets">
        <Field label={words.range}>
          {(ids) => (
            <select
              {...ids}
              value={days}
              onChange={({ target }) => change(RANGES.find((each) => each === Number(target.value)))}
            >
              {RANGES.map((each) => (
                <option key={each} value={each}>
                  {words.ranges[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Suspense fallback={<Loading />}>
        <FindingsOverTime days={days} />
      </Suspense>
    </section>
  );
}
