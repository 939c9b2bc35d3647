import { client } from "../../../api/client.js";
import { given, only } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import type { Column } from "../../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../../ui/list-page.js";
import { Page } from "../../../ui/page.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { Parts } from "../parts.js";
import { driftSearchOf } from "../search.js";
import { DRIFT_TONES, type Drift } from "../terms.js";
import { DriftActs } from "./drift-acts.js";

const { columns } = t.access.drift;
const SEVERITY_TONES = { low: "neutral", medium: "warning", high: "bad", critical: "bad" } as const;

const COLUMNS: readonly Column<Drift>[] = [
  {
    key: "what",
    head: columns.what,
    cell: ({ kind, name }) => (
      <>
        {t.access.driftKinds[kind]}
        <div className="muted small">
          <Text>{name}</Text>
        </div>
      </>
    ),
  },
  {
    key: "who",
    head: columns.who,
    cell: ({ principal: { displayName, externalId } }) => <Text>{displayName ?? externalId}</Text>,
  },
  {
    key: "severity",
    head: columns.severity,
    cell: ({ severity }) => (
      <StatusBadge tone={SEVERITY_TONES[severity]}>{t.access.drift.severities[severity]}</StatusBadge>
    ),
  },
  {
    key: "status",
    head: columns.status,
    cell: ({ status }) => <StatusBadge tone={DRIFT_TONES[status]}>{t.access.driftStates[status]}</StatusBadge>,
  },
  { key: "seen", head: columns.seen, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} age /> },
  {
    key: "todo",
    head: columns.todo,
    cell: (drift) => (
      <>
        <Text>{drift.advice}</Text>
        <DriftActs drift={drift} />
      </>
    ),
  },
];

/** How systems differ from what was granted, and what to do about it. */
export function DriftPage() {
  const filters = useListSearch(driftSearchOf);
  const { page, status, kind } = filters.search;
  const list = useList("access_drift", given({ page, status: only(status), kind: only(kind) }), (query, signal) =>
    client.GET("/api/v1/access-drift", { params: { query }, signal }),
  );
  return (
    <Page title={t.access.drift.title}>
      <Parts />
      <ListView
        savedAs="access/drift"
        filters={filters}
        facets={[
          filters.facet("status", columns.status, t.access.driftStates),
          filters.facet("kind", t.access.drift.kind, t.access.driftKinds),
        ]}
        list={list}
        caption={t.access.drift.list}
        columns={COLUMNS}
        empty={t.access.drift.empty}
      />
    </Page>
  );
}
