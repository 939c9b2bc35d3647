import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { given } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Facets } from "../../../ui/facets.js";
import { useList, useListSearch } from "../../../ui/list-page.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { Progress } from "../../../ui/progress.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { itemSearchOf } from "../search.js";
import { CERTIFICATION_TONES, type Certification } from "../terms.js";
import { ItemsTable } from "./items-table.js";

/** A hundred items at a time: as many as are kept at once. */
const SIZE = 100;

/** A certification: how far it is, and its items to decide. */
export function CertificationPage() {
  const { certificationId: id = "" } = useParams({ strict: false });
  const filters = useListSearch(itemSearchOf);
  const { page, status = "pending" } = filters.search;
  const query = { size: SIZE, ...given({ page, status: [status] }) };
  const certification = useQuery({
    queryKey: recordKey("access_certification", id),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/access-certifications/{id}", { params: { path: { id } }, signal })).data,
  });
  const items = useList(
    "access_certification",
    query,
    (query, signal) =>
      client.GET("/api/v1/access-certifications/{id}/items", { params: { path: { id }, query }, signal }),
    recordKey("access_certification", id, "items", query),
  );
  const { pending, ...others } = t.access.itemStates;
  return (
    <Loaded query={certification}>
      {(data) => (
        <Page title={data.name} heading={<Text>{data.name}</Text>}>
          <Standing certification={data} />
          <Facets
            facets={[filters.facet("status", t.access.items.show, others, pending)]}
            onChange={(key, value) => filters.change({ [key]: value })}
          />
          <Loaded query={items}>
            {(list) => (
              <ItemsTable certification={data} page={list} onPage={(to) => filters.change({ page: to || undefined })} />
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
