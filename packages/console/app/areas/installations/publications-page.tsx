import { Link } from "@tanstack/react-router";
import { client } from "../../api/client.js";
import { namedOf, useNames } from "../../api/names.js";
import { given, only } from "../../api/search.js";
import { t } from "../../texts/index.js";
import type { Column } from "../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../ui/list-page.js";
import { Page } from "../../ui/page.js";
import { Person } from "../../ui/person.js";
import { Time } from "../../ui/time.js";
import { InstallationsNav } from "./installations-nav.js";
import { publicationsSearchOf } from "./search.js";
import { PUBLISHED, type Publication } from "./terms.js";

const { publications: words, clients } = t.installations;
const PUBLISHED_WORDS = Object.fromEntries(PUBLISHED.map((one) => [one, clients[one]]));

type Names = ReturnType<typeof useNames>;

const columnsWith = (names: Names): readonly Column<Publication>[] => [
  { key: "number", head: words.columns.number, align: "end", cell: ({ number }) => t.number(number) },
  {
    key: "agent",
    head: words.columns.agent,
    cell: ({ agentId }) => (
      <Link to="/estate/assets/$id" params={{ id: agentId }}>
        <Person person={namedOf(names, agentId)} />
      </Link>
    ),
  },
  { key: "client", head: words.columns.client, cell: ({ client: of }) => clients[of] },
  { key: "allowed", head: words.columns.allowed, cell: ({ entries }) => words.servers(entries.length) },
  { key: "left", head: words.columns.left, cell: ({ leftOut }) => words.servers(leftOut.length) },
  { key: "made", head: words.columns.made, cell: ({ createdAt }) => <Time at={createdAt} age /> },
];

/** The sets of servers that were published to clients, the newest first. */
export function PublicationsPage() {
  const filters = useListSearch(publicationsSearchOf);
  const { page, client: of } = filters.search;
  const list = useList("publication", given({ page, client: only(of) }), (query, signal) =>
    client.GET("/api/v1/ai/publications", { params: { query }, signal }),
  );
  const names = useNames(list.data?.items.map(({ agentId }) => agentId));
  return (
    <Page title={t.installations.navigation.publications}>
      <InstallationsNav />
      <ListView
        filters={filters}
        facets={[filters.facet("client", words.columns.client, PUBLISHED_WORDS)]}
        list={list}
        caption={words.list}
        columns={columnsWith(names)}
        empty={words.empty}
      />
    </Page>
  );
}
