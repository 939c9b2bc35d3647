import { Link } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { given, only } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import type { Column } from "../../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../../ui/list-page.js";
import { Page } from "../../../ui/page.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { type ExemptionsSearch, exemptionsSearchOf } from "../search.js";
import { SEVERITY_TONES } from "../terms.js";
import { Ends } from "./ends.js";
import { EXEMPTION_TONES, type Exemption } from "./terms.js";

const words = t.exemptions;

const COLUMNS: readonly Column<Exemption>[] = [
  {
    key: "name",
    head: words.columns.name,
    cell: ({ id, name }) => (
      <Link to="/findings/exemptions/$exemptionId" params={{ exemptionId: id }}>
        <Text>{name}</Text>
      </Link>
    ),
  },
  {
    key: "status",
    head: words.columns.status,
    cell: ({ status }) => <StatusBadge tone={EXEMPTION_TONES[status]}>{words.states[status]}</StatusBadge>,
  },
  { key: "category", head: words.columns.category, cell: ({ category }) => words.categories[category] },
  {
    key: "severity",
    head: words.columns.severity,
    cell: ({ maxSeverity: of }) => <StatusBadge tone={SEVERITY_TONES[of]}>{t.findings.severities[of]}</StatusBadge>,
  },
  { key: "ends", head: words.columns.ends, cell: (exemption) => <Ends exemption={exemption} /> },
];

const queryOf = ({ page, status, category, severity, policyId }: ExemptionsSearch) =>
  given({
    page,
    status: only(status),
    category: only(category),
    severity: only(severity),
    policyId: only(policyId),
    sort: ["endsAt" as const],
  });

/** Exemptions by filters, those that end first at the top. */
export function ExemptionsPage() {
  const filters = useListSearch(exemptionsSearchOf);
  const list = useList("exemption", queryOf(filters.search), (query, signal) =>
    client.GET("/api/v1/ai-governance/exemptions", { params: { query }, signal }),
  );
  return (
    <Page title={words.title}>
      <ListView
        savedAs="findings/exemptions"
        filters={filters}
        facets={[
          filters.facet("status", words.columns.status, words.states),
          filters.facet("category", words.columns.category, words.categories),
          filters.facet("severity", words.columns.severity, t.findings.severities),
        ]}
        list={list}
        caption={words.list}
        columns={COLUMNS}
        empty={words.empty}
      />
    </Page>
  );
}
