import { Link } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { namedOf, useNames } from "../../../api/names.js";
import { given, only } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import type { Column } from "../../../ui/data-table.js";
import { HiddenNames } from "../../../ui/hidden-names.js";
import { ListView, useList, useListSearch } from "../../../ui/list-page.js";
import { Page } from "../../../ui/page.js";
import { Person } from "../../../ui/person.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { InstallationsNav } from "../installations-nav.js";
import { watchesSearchOf } from "../search.js";
import { AskWatch } from "./ask-watch.js";
import { WATCH_TONES, type Watch } from "./terms.js";

const { watches: words } = t.installations;

type Names = ReturnType<typeof useNames>;

const columnsWith = (names: Names): readonly Column<Watch>[] => [
  {
    key: "name",
    head: words.columns.name,
    cell: ({ id, name }) => (
      <Link to="/installations/watches/$watchId" params={{ watchId: id }}>
        <Text>{name}</Text>
      </Link>
    ),
  },
  { key: "team", head: words.columns.team, cell: ({ team }) => <Text>{team ?? words.allTeams}</Text> },
  {
    key: "status",
    head: words.columns.status,
    cell: ({ status }) => <StatusBadge tone={WATCH_TONES[status]}>{words.states[status]}</StatusBadge>,
  },
  {
    key: "asked",
    head: words.columns.asked,
    cell: ({ requestedBy }) => <Person person={namedOf(names, requestedBy)} />,
  },
  { key: "made", head: words.columns.made, cell: ({ createdAt }) => <Time at={createdAt} age /> },
  { key: "ends", head: words.columns.ends, cell: ({ expiresAt }) => <Time at={expiresAt} age /> },
];

/** Watches: times in which calls of clients are judged and recorded, and not denied. */
export function WatchesPage() {
  const may = useMay();
  const filters = useListSearch(watchesSearchOf);
  const { page, status } = filters.search;
  const list = useList("enforcement_watch", given({ page, status: only(status) }), (query, signal) =>
    client.GET("/api/v1/ai/watches", { params: { query }, signal }),
  );
  const names = useNames(list.data?.items.map(({ requestedBy }) => requestedBy));
  return (
    <Page title={t.installations.navigation.watches} actions={may("enforcement-watch:request") && <AskWatch />}>
      <InstallationsNav />
      <p>{words.lead}</p>
      <ListView
        filters={filters}
        facets={[filters.facet("status", words.columns.status, words.states)]}
        list={list}
        caption={words.list}
        columns={columnsWith(names)}
        empty={words.empty}
      />
      <HiddenNames names={names} />
    </Page>
  );
}
