import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { client } from "../../api/client.js";
import { recordKey } from "../../api/keys.js";
import { t } from "../../texts/index.js";
import { DefinitionList } from "../../ui/definition-list.js";
import { Facets } from "../../ui/facets.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { Progress } from "../../ui/progress.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { ItemsTable } from "./items-table.js";
import { useItemsSearch } from "./search.js";
import { CERTIFICATION_TONES, type Certification, ITEM_STATUSES } from "./terms.js";

/** A hundred items at a time: as many as are kept at once. */
const SIZE = 100;

/** A certification: how far it is, and its items to decide. */
export function CertificationPage() {
  const { certificationId: id = "" } = useParams({ strict: false });
  const { page, status = "pending" } = useItemsSearch();
  const navigate = useNavigate();
  const query = { size: SIZE, status: [status], ...(page === undefined ? {} : { page }) };
  const certification = useQuery({
    queryKey: recordKey("access_certification", id),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/access-certifications/{id}", { params: { path: { id } }, signal })).data,
  });
  const items = useQuery({
    queryKey: recordKey("access_certification", id, "items", query),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/access-certifications/{id}/items", { params: { path: { id }, query }, signal })).data,
    placeholderData: (before) => before,
  });
  const change = (changed: object) =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, page: undefined, ...changed }) });
  return (
    <Loaded query={certification}>
      {(data) => (
        <Page title={data.name} heading={<Text>{data.name}</Text>}>
          <Standing certification={data} />
          <Facets
            facets={[
              {
                key: "status",
                label: t.access.items.show,
                all: t.access.itemStates.pending,
                options: ITEM_STATUSES.filter((value) => value !== "pending").map((value) => ({
                  value,
                  label: t.access.itemStates[value],
                })),
                value: status === "pending" ? undefined : status,
              },
            ]}
            onChange={(key, value) => change({ [key]: value })}
          />
          <Loaded query={items}>
            {(list) => (
              <ItemsTable certification={data} page={list} onPage={(to) => change({ page: to || undefined })} />
            )}
          </Loaded>
        </Page>
      )}
    </Loaded>
  );
}

/** How far it is, as the server counts it. */
function Standing({ certification }: { readonly certification: Certification }) {
  const { status, counts, dueAt, confirmation } = certification;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const { pending = 0, held = 0 } = counts;
  const { facts } = t.access;
  return (
    <>
      <Progress label={t.access.progress} done={total - pending - held} total={total} />
      <DefinitionList
        items={[
          [
            facts.status,
            <StatusBadge key="s" tone={CERTIFICATION_TONES[status]}>
              {t.access.states[status]}
            </StatusBadge>,
          ],
          [facts.due, <Time key="d" at={dueAt} absent={t.none} />],
          [facts.held, t.number(held)],
          ...(confirmation
            ? ([[facts.confirmation, t.access.confirms(confirmation.revokes, confirmation.items)]] as const)
            : []),
        ]}
      />
    </>
  );
}
