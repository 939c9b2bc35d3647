import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { client } from "../../api/client.js";
import { listKey } from "../../api/keys.js";
import { t } from "../../texts/index.js";
import { type Column, DataTable } from "../../ui/data-table.js";
import { Facets } from "../../ui/facets.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { Empty } from "../../ui/states.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { useCertificationsSearch } from "./search.js";
import { CERTIFICATION_STATUSES, CERTIFICATION_TONES, type Certification } from "./terms.js";

const COLUMNS: readonly Column<Certification>[] = [
  {
    key: "name",
    head: t.access.columns.name,
    cell: ({ id, name }) => (
      <Link to="/access/certifications/$certificationId" params={{ certificationId: id }}>
        <Text>{name}</Text>
      </Link>
    ),
  },
  {
    key: "status",
    head: t.access.columns.status,
    cell: ({ status }) => <StatusBadge tone={CERTIFICATION_TONES[status]}>{t.access.states[status]}</StatusBadge>,
  },
  {
    key: "left",
    head: t.access.columns.left,
    align: "end",
    cell: ({ counts }) => t.number((counts.pending ?? 0) + (counts.held ?? 0)),
  },
  { key: "due", head: t.access.columns.due, cell: ({ dueAt }) => <Time at={dueAt} absent={t.none} age /> },
];

/** The certifications of access, the newest first. */
export function CertificationsPage() {
  const { page, status } = useCertificationsSearch();
  const navigate = useNavigate({ from: "/access" });
  const query = {
    ...(page === undefined ? {} : { page }),
    ...(status === undefined ? {} : { status: [status] }),
  };
  const list = useQuery({
    queryKey: listKey("access_certification", query),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/access-certifications", { params: { query }, signal })).data,
    placeholderData: (before) => before,
  });
  const change = (changed: object) =>
    void navigate({ search: (before: object) => ({ ...before, page: undefined, ...changed }) });
  return (
    <Page title={t.access.title}>
      <Facets
        facets={[
          {
            key: "status",
            label: t.access.columns.status,
            options: CERTIFICATION_STATUSES.map((value) => ({ value, label: t.access.states[value] })),
            value: status,
          },
        ]}
        onChange={(key, value) => change({ [key]: value })}
        onClear={() => void navigate({ search: {} })}
      />
      <Loaded query={list}>
        {(data) => (
          <DataTable
            caption={t.access.list}
            columns={COLUMNS}
            page={data}
            rowKey={({ id }) => id}
            empty={<Empty {...t.access.empty} />}
            onPage={(to) => change({ page: to || undefined })}
          />
        )}
      </Loaded>
    </Page>
  );
}
