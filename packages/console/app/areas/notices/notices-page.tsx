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
import { Failed } from "../../ui/states.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { plainText, Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { NoticesNav } from "./notices-nav.js";
import { searchOf } from "./search.js";
import { type Notice, STATE_TONES } from "./terms.js";
import { useMark, useMarkAll } from "./use-mark.js";

const words = t.notices;

const COLUMNS: readonly Column<Notice>[] = [
  { key: "kind", head: words.columns.kind, cell: ({ kind }) => words.kinds[kind] },
  {
    key: "status",
    head: words.columns.status,
    cell: ({ status }) => <StatusBadge tone={STATE_TONES[status]}>{words.states[status]}</StatusBadge>,
  },
  { key: "due", head: words.columns.due, cell: ({ dueAt }) => <Time at={dueAt} absent={words.noDue} age /> },
  { key: "told", head: words.columns.told, cell: ({ createdAt }) => <Time at={createdAt} age /> },
];

/** What one was told of, newest first. Opening a matter marks its notice as read. */
export function NoticesPage() {
  const filters = useListSearch(searchOf);
  const { page, kind, status, reading } = filters.search;
  const mark = useMark();
  const markAll = useMarkAll();
  const unread = reading === undefined ? undefined : [String(reading === "unread")];
  const list = useList("notice", given({ page, kind: only(kind), status: only(status), unread }), (query, signal) =>
    client.GET("/api/v1/me/notices", { params: { query }, signal }),
  );
  const items = list.data?.items ?? [];
  const names = useNames(items.flatMap(({ onBehalfOf }) => onBehalfOf ?? []));
  const about: Column<Notice> = {
    key: "name",
    head: words.columns.name,
    // One box: on a phone, a cell is a grid of its heading and what it holds.
    cell: ({ id, name, page: matter, readAt, onBehalfOf }) => (
      <div>
        <Link
          to={`/${matter}`}
          className={readAt === null ? "unread" : ""}
          onClick={() => readAt === null && mark.mutate({ id, read: true })}
        >
          <Text>{name}</Text>
        </Link>{" "}
        {readAt === null && <StatusBadge tone="busy">{words.reading.unread}</StatusBadge>}
        {onBehalfOf !== null && (
          <span className="muted">
            {" "}
            {words.for} <Person person={namedOf(names, onBehalfOf)} />
          </span>
        )}
      </div>
    ),
  };
  const read: Column<Notice> = {
    key: "read",
    head: words.columns.read,
    cell: ({ id, name, readAt }) => {
      const isUnread = readAt === null;
      return (
        <button
          type="button"
          className="quiet"
          aria-label={isUnread ? words.mark.readOne(plainText(name)) : words.mark.unreadOne(plainText(name))}
          onClick={() => mark.mutate({ id, read: isUnread })}
        >
          {isUnread ? words.mark.read : words.mark.unread}
        </button>
      );
    },
  };
  // What was told since is not marked, nor what other filters hide.
  const newest = page === undefined && kind === undefined ? items[0]?.createdAt : undefined;
  return (
    <Page
      title={words.title}
      actions={
        newest !== undefined &&
        items.some(({ readAt }) => readAt === null) && (
          <button
            type="button"
            aria-disabled={markAll.isPending}
            onClick={() => !markAll.isPending && markAll.mutate(newest)}
          >
            {words.mark.all}
          </button>
        )
      }
    >
      <NoticesNav />
      {mark.isError && <Failed error={mark.error} />}
      {markAll.isError && <Failed error={markAll.error} />}
      <ListView
        filters={filters}
        facets={[
          filters.facet("reading", words.columns.read, words.reading),
          filters.facet("status", words.columns.status, words.states),
          filters.facet("kind", words.columns.kind, words.kinds),
        ]}
        list={list}
        caption={words.list}
        columns={[about, ...COLUMNS, read]}
        empty={words.empty}
      />
      <HiddenNames names={names} />
    </Page>
  );
}
