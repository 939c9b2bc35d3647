import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { listKey } from "../../../api/keys.js";
import { t } from "../../../texts/index.js";
import { type Column, DataTable, wholePage } from "../../../ui/data-table.js";
import { Facets } from "../../../ui/facets.js";
import { useListSearch } from "../../../ui/list-page.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { Empty } from "../../../ui/states.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { Parts } from "../parts.js";
import { unusedSearchOf } from "../search.js";
import { type Unused, USAGE_TONES } from "../terms.js";
import { Revoke } from "./revoke.js";

const words = t.access.unused;
const { columns } = t.access.assignments;
const DAYS = 30;

type Idle = Unused["items"][number];
type Unknown = Unused["unknown"][number];

/** Access that was not used for some days, and apart from it access of which nobody can tell. */
export function UnusedPage() {
  const { search, change, clear, facet } = useListSearch(unusedSearchOf);
  const days = Number(search.days ?? DAYS);
  const list = useInfiniteQuery({
    queryKey: listKey("access_assignment", { unusedFor: days }),
    queryFn: async ({ pageParam, signal }) => {
      const params = { query: { days, size: 100, ...(pageParam ? { cursor: pageParam } : {}) } };
      return (await client.GET("/api/v1/access-unused", { params, signal })).data;
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const uses = { unused: t.access.usage.unused, unknown: t.access.usage.unknown };
  const { [DAYS]: _standard, ...otherSpans } = words.spans;
  return (
    <Page title={words.title}>
      <Parts />
      <Facets
        facets={[facet("days", words.days, otherSpans, words.standard), facet("use", words.use, uses)]}
        onChange={(key, value) => change({ [key]: value })}
        onClear={clear}
      />
      <Loaded query={list}>
        {({ pages }) => (
          <>
            <p>
              {words.since} <Time at={pages[0]?.since} />
            </p>
            {search.use !== "unknown" && (
              <section aria-label={words.idle}>
                <h2>{words.idle}</h2>
                <Shown
                  caption={words.idleList}
                  rows={pages.flatMap(({ items }) => items)}
                  columns={[...NAMES, ...ENDS, revoking("unused", days)]}
                  isCut={list.hasNextPage}
                  empty={words.noIdle}
                />
              </section>
            )}
            {search.use !== "unused" && (
              <section aria-label={words.unknown}>
                <h2>{words.unknown}</h2>
                <p className="muted">{words.unknownHint}</p>
                <Shown
                  caption={words.unknownList}
                  rows={pages.flatMap(({ unknown }) => unknown)}
                  columns={[...NAMES, WHY, ...ENDS, revoking("unknown", days)]}
                  isCut={list.hasNextPage}
                  empty={words.noUnknown}
                />
              </section>
            )}
            {list.hasNextPage && (
              <p>
                {words.isMore}{" "}
                <button
                  type="button"
                  aria-disabled={list.isFetchingNextPage}
                  onClick={() => !list.isFetchingNextPage && void list.fetchNextPage()}
                >
                  {words.more}
                </button>
              </p>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const NAMES: readonly Column<Idle>[] = [
  { key: "who", head: columns.who, cell: ({ assetId, assetName }) => <Text>{assetName ?? assetId}</Text> },
  {
    key: "what",
    head: columns.what,
    cell: ({ id, name }) => (
      <Link to="/access/assignments/$assignmentId" params={{ assignmentId: id }}>
        <Text>{name}</Text>
      </Link>
    ),
  },
  { key: "where", head: columns.where, cell: ({ targetName }) => <Text>{targetName}</Text> },
  {
    key: "last",
    head: words.columns.last,
    cell: ({ lastUsedAt }) => <Time at={lastUsedAt} absent={t.access.assignments.never} age />,
  },
];

const ENDS: readonly Column<Idle>[] = [
  { key: "granted", head: words.columns.granted, cell: ({ activatedAt }) => <Time at={activatedAt} age /> },
  {
    key: "ends",
    head: columns.ends,
    cell: ({ expiresAt, isPermanent }) => (
      <Time at={expiresAt} absent={isPermanent ? t.access.assignments.noEnd : t.unknown} age />
    ),
  },
];

const WHY: Column<Unknown> = {
  key: "why",
  head: words.columns.why,
  cell: ({ unknownBecause }) => (
    <>
      <StatusBadge tone={USAGE_TONES.unknown}>{t.access.usage.unknown}</StatusBadge>{" "}
      {unknownBecause.map((one) => t.access.assignment.because[one]).join(" ")}
    </>
  ),
};

const revoking = (usageState: "unused" | "unknown", days: number): Column<Idle> => ({
  key: "act",
  head: words.columns.act,
  cell: (assignment) => <Revoke assignment={assignment} usage={{ total: 0, days, usageState }} isListed />,
});

interface ShownProps<Row> {
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Whether the server has more to look at. */
  readonly isCut: boolean;
  readonly empty: { readonly title: string; readonly detail: string };
}

function Shown<Row extends { readonly id: string }>({ caption, rows, columns: shown, isCut, empty }: ShownProps<Row>) {
  return (
    <DataTable
      caption={caption}
      columns={shown}
      page={wholePage(rows, isCut)}
      rowKey={({ id }) => id}
      empty={<Empty {...empty} />}
    />
  );
}
