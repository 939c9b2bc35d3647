import { Link } from "@tanstack/react-router";
import { client } from "../../api/client.js";
import { namedOf, useNames } from "../../api/names.js";
import { given, only } from "../../api/search.js";
import { t } from "../../texts/index.js";
import type { Column } from "../../ui/data-table.js";
import { HiddenNames } from "../../ui/hidden-names.js";
import { ListView, useList, useListSearch } from "../../ui/list-page.js";
import { Page } from "../../ui/page.js";
import { Person } from "../../ui/person.js";
import { SearchField } from "../../ui/search-field.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { InstallationsNav } from "./installations-nav.js";
import { searchOf } from "./search.js";
import { EFFECT_TONES, type Installation, STATE_TONES } from "./terms.js";

const words = t.installations;

type Names = ReturnType<typeof useNames>;

const columnsWith = (names: Names): readonly Column<Installation>[] => [
  {
    key: "name",
    head: words.columns.name,
    cell: ({ id, name }) => (
      <Link to="/installations/one/$installationId" params={{ installationId: id }}>
        <Text>{name}</Text>
      </Link>
    ),
  },
  { key: "client", head: words.columns.client, cell: ({ client: of }) => words.clients[of] },
  {
    key: "status",
    head: words.columns.status,
    cell: ({ status }) => <StatusBadge tone={STATE_TONES[status]}>{words.states[status]}</StatusBadge>,
  },
  {
    key: "effect",
    head: words.columns.effect,
    cell: ({ effect }) => <StatusBadge tone={EFFECT_TONES[effect]}>{words.effects[effect]}</StatusBadge>,
  },
  { key: "agent", head: words.columns.agent, cell: ({ agentId }) => <Person person={namedOf(names, agentId)} /> },
  {
    key: "person",
    head: words.columns.person,
    cell: ({ userId }) => <Person person={userId === null ? null : namedOf(names, userId)} />,
  },
  { key: "team", head: words.columns.team, cell: ({ team }) => <Text>{team ?? t.none}</Text> },
  {
    key: "seen",
    head: words.columns.seen,
    cell: ({ lastSeenAt }) => <Time at={lastSeenAt} absent={t.time.never} age />,
  },
  { key: "ends", head: words.columns.ends, cell: ({ expiresAt }) => <Time at={expiresAt} age /> },
];

/** Places where coding agents run, and when each was last heard of. */
export function InstallationsPage() {
  const filters = useListSearch(searchOf);
  const { page, status, client: of, team } = filters.search;
  const list = useList(
    "installation",
    given({ page, status: only(status), client: only(of), team: only(team) }),
    (query, signal) => client.GET("/api/v1/ai/installations", { params: { query }, signal }),
  );
  const names = useNames(list.data?.items.flatMap(({ agentId, userId }) => [agentId, userId ?? ""]));
  return (
    <Page title={t.areas.installations}>
      <InstallationsNav />
      <SearchField
        label={words.columns.team}
        value={team}
        onChange={(value) => filters.change({ team: value }, true)}
      />
      <ListView
        savedAs="installations"
        filters={filters}
        facets={[
          filters.facet("status", words.columns.status, words.states),
          filters.facet("client", words.columns.client, words.clients),
        ]}
        list={list}
        caption={words.list}
        columns={columnsWith(names)}
        empty={words.empty}
      />
      <HiddenNames names={names} />
    </Page>
  );
}
