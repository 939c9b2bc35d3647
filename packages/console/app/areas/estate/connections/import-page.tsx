import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { given, only } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import type { Column } from "../../../ui/data-table.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { ListView, useList, useListSearch } from "../../../ui/list-page.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { Progress } from "../../../ui/progress.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { ImportActs } from "./import-acts.js";
import { importSearchOf } from "./search.js";
import { ACTIONS, changesOf, IMPORT_TONES, type Import, type ImportLine, isUnderWay } from "./terms.js";

const words = t.connections.imports;
/** How often an import under way is looked at, in ms: its progress is no event. */
const LOOK = 1_500;

const COLUMNS: readonly Column<ImportLine>[] = [
  { key: "name", head: words.item_columns.name, cell: ({ name }) => <Text>{name}</Text> },
  { key: "type", head: words.item_columns.type, cell: ({ assetType }) => t.estate.types[assetType] },
  { key: "action", head: words.item_columns.action, cell: ({ action }) => words.actions[action] },
  { key: "result", head: words.item_columns.result, cell: ({ result }) => (result ? words.results[result] : "") },
  {
    key: "why",
    head: words.item_columns.why,
    cell: ({ error, differences }) =>
      error ? <Text>{error.message}</Text> : <Text>{differences.map(({ field }) => field).join(", ") || t.none}</Text>,
  },
];

/** An import: what its plan would change, its confirmation, and how far it is. It goes on when one leaves. */
export function ImportPage() {
  const { connectionId = "", importId = "" } = useParams({ strict: false });
  const path = { id: connectionId, importId };
  const job = useQuery({
    queryKey: recordKey("connector_import", importId),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/integrations/{id}/imports/{importId}", { params: { path }, signal })).data,
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? LOOK : false),
  });
  const filters = useListSearch(importSearchOf);
  const { page, action, result } = filters.search;
  const query = given({ page, action: only(action), result: only(result) });
  const items = useList(
    "connector_import",
    query,
    (query, signal) =>
      client.GET("/api/v1/integrations/{id}/imports/{importId}/items", { params: { path, query }, signal }),
    recordKey("connector_import", importId, "items", { ...query, status: job.data?.status }),
  );
  return (
    <Loaded query={job}>
      {(data) => (
        <Page title={data.name} heading={<Text>{data.name}</Text>} actions={<ImportActs path={path} job={data} />}>
          <Standing job={data} />
          <ListView
            filters={filters}
            facets={[
              filters.facet(
                "action",
                words.item_columns.action,
                Object.fromEntries(ACTIONS.map((one) => [one, words.actions[one]])),
              ),
              filters.facet("result", words.item_columns.result, words.results),
            ]}
            list={items}
            caption={words.items}
            columns={COLUMNS}
            empty={words.noItems}
          />
        </Page>
      )}
    </Loaded>
  );
}

/** How far it is, and what the plan counts. */
function Standing({ job }: { readonly job: Import }) {
  const { status, counts, done, failed, failure, complete, planHash } = job;
  return (
    <>
      {(status === "importing" || done + failed > 0) && (
        <Progress label={words.progress} done={done + failed} total={Math.max(changesOf(job), done + failed)} />
      )}
      <DefinitionList
        items={[
          [
            t.connections.facts.status,
            <StatusBadge key="s" tone={IMPORT_TONES[status]}>
              {words.states[status]}
            </StatusBadge>,
          ],
          ...Object.entries(words.actions).map(
            ([key, word]) => [word, t.number(counts[key as keyof Import["counts"]])] as const,
          ),
          ...(failure ? ([[t.connections.facts.error, <Text key="f">{failure.message}</Text>]] as const) : []),
        ]}
      />
      {planHash !== null && !complete && <p className="against">{words.incomplete}</p>}
    </>
  );
}
