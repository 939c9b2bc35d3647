import { client } from "../../../api/client.js";
import { useMe } from "../../../api/me.js";
import { namedOf, useNames } from "../../../api/names.js";
import { given } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import type { Column } from "../../../ui/data-table.js";
import { HiddenNames } from "../../../ui/hidden-names.js";
import { ListView, useList, useListSearch } from "../../../ui/list-page.js";
import { Page } from "../../../ui/page.js";
import { Person } from "../../../ui/person.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Time } from "../../../ui/time.js";
import { NoticesNav } from "../notices-nav.js";
import { pageSearchOf } from "../search.js";
import type { Delegation } from "../terms.js";
import { Give } from "./give.js";

const words = t.notices.delegations;

/** Who stands in for one, and for whom one stands in. Each of the two ends it. */
export function DelegationsPage() {
  const filters = useListSearch(pageSearchOf);
  const { id: me } = useMe();
  const list = useList("delegation", given({ page: filters.search.page }), (query, signal) =>
    client.GET("/api/v1/me/delegations", { params: { query }, signal }),
  );
  const names = useNames(list.data?.items.flatMap(({ fromId, toId }) => [fromId, toId]));
  const columns: readonly Column<Delegation>[] = [
    { key: "to", head: words.columns.to, cell: ({ toId }) => <Person person={namedOf(names, toId)} /> },
    { key: "from", head: words.columns.from, cell: ({ fromId }) => <Person person={namedOf(names, fromId)} /> },
    {
      key: "status",
      head: words.columns.status,
      cell: ({ status }) => (
        <StatusBadge tone={status === "active" ? "good" : "neutral"}>{words.states[status]}</StatusBadge>
      ),
    },
    { key: "ends", head: words.columns.ends, cell: ({ endsAt }) => <Time at={endsAt} /> },
    {
      key: "act",
      head: words.columns.act,
      cell: (delegation) => (
        <ReasonedAct
          isShown={delegation.status === "active"}
          label={delegation.fromId === me ? words.takeBack : words.giveBack}
          hint={words.endHint}
          tone="danger"
          stale={["delegation", "notice"]}
          act={(body) =>
            client.POST("/api/v1/me/delegations/{id}/end", {
              params: { path: { id: delegation.id } },
              body,
            })
          }
        />
      ),
    },
  ];
  return (
    <Page title={t.notices.navigation.delegations} actions={<Give />}>
      <NoticesNav />
      <p>{words.leads}</p>
      <ListView filters={filters} facets={[]} list={list} caption={words.list} columns={columns} empty={words.empty} />
      <HiddenNames names={names} />
    </Page>
  );
}
