import {
  COMBINATION_LIMIT,
  COUNT_LIMIT,
  type CountingPlan,
  type CountPlan,
  countLimit,
  type FindPlan,
  type Found,
  isBounded,
  type Listed,
  markedShape,
  type Position,
  Row,
  type StoredEvent,
  type StoredRecord,
  type Total,
  upcast,
} from "@reeve/core/store";
import type { Rows } from "../schema/dialect.js";
import type { Table } from "../schema/table.js";

type Cells = readonly unknown[];

/** A table as far as its rows are concerned. */
type RowShape<R extends StoredRecord> = Pick<Table<R>, "spec" | "collection">;

/** A row of a tenant, from the cells id, version, body, stale_at and, where shapes differ, the marks of its shape. */
export function rowOf<R extends StoredRecord>(table: RowShape<R>, tenantId: string, cells: Cells): Row<R> {
  if (table.spec.shape !== undefined) {
    const shape = markedShape(cells[1] as number, cells[4] as number | null, cells[5] as number | null);
    if (shape < table.spec.shape) return upcastRow(table, tenantId, cells, shape);
  }
  return new Row<R>(tenantId, cells[0] as string, cells[1] as number, cells[2] as string, cells[3] as string | null);
}

function upcastRow<R extends StoredRecord>(
  { collection }: RowShape<R>,
  tenantId: string,
  cells: Cells,
  shape: number,
): Row<R> {
  const record = upcast(collection, JSON.parse(cells[2] as string), shape) as R;
  return Row.of(tenantId, record, collection.staleAt?.(record) ?? null);
}

/** A row of any tenant, from tenant_id and the cells of `rowOf`. */
export function platformRowOf<R extends StoredRecord>(table: RowShape<R>, cells: Cells): Row<R> {
  return rowOf(table, cells[0] as string, cells.slice(1));
}

/**
 * A page from the fetched rows. One more than `size` means that there is a next page. The last cell is the position.
 */
export function foundOf<R extends StoredRecord>(rows: Rows, size: number, make: (cells: Cells) => Row<R>): Found<R> {
  const page = rows.slice(0, size).map(make);
  const next = rows.length > size ? positionOf(rows[size - 1] as Cells, page.at(-1) as Row<R>) : undefined;
  return next ? { rows: page, next } : { rows: page };
}

function positionOf<R extends StoredRecord>(cells: Cells, row: Row<R>): Position {
  return { by: cells.at(-1) as Position["by"], id: row.id };
}

/** A total from a count up to `limit` plus one. */
export function boundedTotal(count: number, limit = COUNT_LIMIT): Total {
  return { count: Math.min(count, limit), exact: count <= limit };
}

/** The total of a plan, from the number of matching rows and of rows examined. */
export function totalOf(
  { total, looks }: { total: CountPlan } & Pick<CountingPlan, "looks">,
  [n, looked]: readonly unknown[],
): Total {
  const count = (n as number | null) ?? 0;
  if (total.from === "combinations") return { count, exact: (looked as number) <= COMBINATION_LIMIT };
  if (total.from !== "rows") return { count, exact: true };
  const { count: shown, exact } = boundedTotal(count, countLimit(total.scan));
  return { count: shown, exact: exact && (!isBounded(total.scan) || (looked as number) <= looks) };
}

/** Whether a page may have ended early, because the bound of examined rows was reached. */
export function endsEarly(plan: FindPlan, rows: number): boolean {
  return isBounded(plan) && rows <= plan.size;
}

/** The page of an `edgedPageQuery`, which goes on after the last row examined. */
export function edgedOf<R extends StoredRecord>(cells: Rows, size: number, make: (cells: Cells) => Row<R>): Found<R> {
  const isEdge = (row: Cells) => row.at(-1) === 1;
  const shown = cells.filter((row) => !isEdge(row)).map((row) => row.slice(0, -1));
  const [last, more] = cells.filter(isEdge);
  const found = foundOf(shown, size, make);
  if (found.next || !last || !more) return found;
  return { ...found, next: { by: last.at(-2) as Position["by"], id: last[0] as string } };
}

/** A page of rows as the JSON text to serve. */
export function listedOf<R extends StoredRecord>(
  rows: readonly Row<R>[],
  total: Total,
  next: Position | undefined,
): Listed {
  let staleAt: string | null = null;
  let items = "";
  for (const row of rows) {
    if (row.staleAt !== null && (staleAt === null || row.staleAt < staleAt)) staleAt = row.staleAt;
    // Added up, it is written out once, with the whole answer. A join would copy it here and there again.
    items += items === "" ? row.text : `,${row.text}`;
  }
  const listed = { items: `[${items}]`, count: rows.length, staleAt, total };
  return next ? { ...listed, next } : listed;
}

/** An event from the cells seq, id, attributes, data, prev_hash, event_hash. */
export function eventOf(cells: Cells): StoredEvent {
  return {
    sequence: cells[0] as number,
    id: cells[1] as string,
    attributes: cells[2] as string,
    data: cells[3] as string | null,
    prevHash: cells[4] as string,
    eventHash: cells[5] as string,
  };
}
