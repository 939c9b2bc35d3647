import type { ReactNode } from "react";
import { t } from "../texts/index.js";

/** A page of a list, as the server gives it. */
export interface ListPage<Row> {
  readonly items: readonly Row[];
  readonly page: number;
  readonly totalItems: number;
  readonly totalPages: number | null;
  readonly totalRelation: "exact" | "atLeast";
  readonly nextCursor: string | null;
}

/** A list that one answer holds whole, or the beginning of one that has more. */
export const wholePage = <Row,>(items: readonly Row[], isCut = false): ListPage<Row> => ({
  ...{ items, page: 0, totalItems: items.length, totalPages: 1, nextCursor: null },
  totalRelation: isCut ? "atLeast" : "exact",
});

/** A page, zero-based, of a list that one has whole; the last one where it has become shorter. */
export const pageOfAll = <Row,>(all: readonly Row[], asked: number, size: number): ListPage<Row> => {
  const totalPages = Math.max(1, Math.ceil(all.length / size));
  const page = Math.min(asked, totalPages - 1);
  return {
    ...{ items: all.slice(page * size, (page + 1) * size), page, totalPages },
    ...{ totalItems: all.length, totalRelation: "exact", nextCursor: page + 1 < totalPages ? "next" : null },
  };
};

export interface Column<Row> {
  readonly key: string;
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand at the end of their column. */
  readonly align?: "end";
}

interface DataTableProps<Row> {
  /** What the table holds, for those who do not see it. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly page: ListPage<Row>;
  readonly rowKey: (row: Row) => string;
  readonly empty: ReactNode;
  /** Shows another page, zero-based. Without it there are no buttons. */
  readonly onPage?: (page: number) => void;
}

/** A table over a list of the server, page by page. On a narrow screen each row becomes a card. */
export function DataTable<Row>({ caption, columns, page, rowKey, empty, onPage }: DataTableProps<Row>) {
  if (page.items.length === 0 && page.page === 0) return <>{empty}</>;
  return (
    <>
      <div className="table-scroll">
        <table className="data-table">
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ key, head, align }) => (
                <th key={key} scope="col" className={align}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {page.items.map((row) => (
              <tr key={rowKey(row)} data-row={rowKey(row)}>
                {columns.map(({ key, head, cell, align }) => (
                  <td key={key} data-head={head} className={align}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager of={caption} page={page} {...(onPage ? { onPage } : {})} />
    </>
  );
}

interface PagerProps<Row> {
  /** What is paged through: a screen may hold several tables. */
  readonly of: string;
  readonly page: ListPage<Row>;
  readonly onPage?: (page: number) => void;
}

function Pager<Row>({ of, page, onPage }: PagerProps<Row>) {
  const isLast = page.nextCursor === null;
  return (
    <nav className="pager" aria-label={t.table.pagesOf(of)}>
      <span className="muted">{t.table.rows(page.totalItems, page.totalRelation === "exact")}</span>
      {onPage && (page.page > 0 || !isLast) && (
        <>
          <button type="button" disabled={page.page === 0} onClick={() => onPage(page.page - 1)}>
            {t.table.previous}
          </button>
          <span>{t.table.page(page.page + 1, page.totalPages)}</span>
          <button type="button" disabled={isLast} onClick={() => onPage(page.page + 1)}>
            {t.table.next}
          </button>
        </>
      )}
    </nav>
  );
}
