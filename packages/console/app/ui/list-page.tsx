import { type QueryKey, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { listKey } from "../api/keys.js";
import { type Column, DataTable, type ListPage } from "./data-table.js";
import { type Facet, Facets } from "./facets.js";
import { Loaded } from "./loaded.js";
import { SavedViews } from "./saved-views.js";
import { Empty } from "./states.js";

/** The filters of a list as its address says them, and how one changes them. */
export interface ListSearch<Search> {
  readonly search: Search;
  /** Changes filters and shows the first page again. `replace` leaves no step to go back to, as while one types. */
  readonly change: (changed: Partial<Search>, replace?: boolean) => void;
  readonly clear: () => void;
  /** Shows the list by these filters and no others. */
  readonly open: (filters: Readonly<Record<string, string>>) => void;
  /** A filter over values that have words, in the order of the words. */
  readonly facet: (
    key: keyof Search & string,
    label: string,
    words: Readonly<Record<string, string>>,
    all?: string,
  ) => Facet;
}

/** Filters that stand in the address. `searchOf` of the area reads them. */
export function useListSearch<Search extends object>(
  searchOf: (given: Record<string, unknown>) => Search,
): ListSearch<Search> {
  const search = searchOf(useSearch({ strict: false }));
  const navigate = useNavigate();
  return {
    search,
    change: (changed, replace = false) =>
      void navigate({ to: ".", search: (before: object) => ({ ...before, page: undefined, ...changed }), replace }),
    clear: () => void navigate({ to: ".", search: {} }),
    open: (filters) => void navigate({ to: ".", search: filters }),
    facet: (key, label, words, all) => ({
      key,
      label,
      options: Object.entries(words).map(([value, text]) => ({ value, label: text })),
      value: search[key] as string | undefined,
      ...(all === undefined ? {} : { all }),
    }),
  };
}

/** Reads a page of a list. What was shown stays while another page is read. */
export function useList<Query extends object, Data>(
  type: string,
  query: Query,
  read: (query: Query, signal: AbortSignal) => Promise<{ readonly data: Data }>,
  queryKey: QueryKey = listKey(type, query),
): UseQueryResult<Data> {
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await read(query, signal)).data,
    placeholderData: (before) => before,
  });
}

interface ListViewProps<Search extends object, Row> {
  readonly filters: ListSearch<Search>;
  readonly facets: readonly Facet[];
  readonly list: UseQueryResult<ListPage<Row>>;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Why the list may hold nothing, and what to do. */
  readonly empty: { readonly title: string; readonly detail: string };
  /** The name under which views of it are saved: its path in the console. Absent for lists within a record. */
  readonly savedAs?: string;
}

/** A list of the server: its filters, its table, its pages. */
export function ListView<Search extends object, Row extends { readonly id: string }>(
  props: ListViewProps<Search, Row>,
) {
  const { filters, facets, list, caption, columns, empty, savedAs } = props;
  const change = (changed: object) => filters.change(changed as Partial<Search>);
  return (
    <>
      {facets.length > 0 && (
        <Facets facets={facets} onChange={(key, value) => change({ [key]: value })} onClear={filters.clear} />
      )}
      {savedAs && <SavedViews list={savedAs} search={filters.search} onOpen={filters.open} />}
      <Loaded query={list}>
        {(page) => (
          <DataTable
            caption={caption}
            columns={columns}
            page={page}
            rowKey={({ id }) => id}
            empty={<Empty {...empty} />}
            onPage={(to) => change({ page: to || undefined })}
          />
        )}
      </Loaded>
    </>
  );
}
