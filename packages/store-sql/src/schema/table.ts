import {
  type ColumnValues,
  foldText,
  type Index,
  recordText,
  type StoredCollection,
  type StoredRecord,
} from "@reeve/core/store";
import { snake } from "./names.js";
import { MARKS, specOf, type TableSpec } from "./table-spec.js";

const ROW = ["id", "version", "body", "stale_at"];

/** A table as far as reads are concerned. */
export interface TableShape {
  readonly name: string;
  readonly spec: TableSpec;
  /** Tells statements of one shape of the table from those of another. */
  readonly key: string;
  /** The columns that rows are made of. */
  readonly row: readonly string[];
  readonly indexes: readonly Index[];
  /** The column of each declared field, and of `createdAt`. */
  readonly columnOf: Readonly<Record<string, string>>;
}

/** A collection with what the SQL stores derive from it once. */
export interface Table<R extends StoredRecord = StoredRecord> extends TableShape {
  readonly collection: StoredCollection<R>;
  /** The columns of an inserted row, in the order of `rowValues`. */
  readonly columns: readonly string[];
}

const tables = new WeakMap<object, Table<never>>();

/** The table of a collection. */
export function tableOf<R extends StoredRecord>(collection: StoredCollection<R>): Table<R> {
  const known = tables.get(collection);
  if (known) return known as unknown as Table<R>;
  const spec = specOf(collection);
  const searched = spec.searchable ? ["search_text"] : [];
  const fields = Object.keys(collection.fields);
  const table: Table<R> = {
    name: collection.name,
    collection,
    spec,
    key: spec.shape === undefined ? collection.name : `${collection.name}@${spec.shape}`,
    row: spec.shape === undefined ? ROW : [...ROW, ...MARKS],
    indexes: collection.indexes,
    columns: [
      "tenant_id",
      "id",
      "version",
      "created_at",
      "stale_at",
      ...searched,
      ...Object.keys(spec.columns),
      "body",
    ],
    columnOf: Object.fromEntries(["createdAt", ...fields].map((field) => [field, snake(field)])),
  };
  tables.set(collection, table as unknown as Table<never>);
  return table;
}

/** How a dialect binds a value of a column. */
export type Encode = (value: string | number | boolean | null) => unknown;

/** The values of an inserted row, in the order of `Table.columns`. `columns`: those of its declared fields. */
export function rowValues<R extends StoredRecord>(
  table: Table<R>,
  tenantId: string,
  record: R,
  columns: ColumnValues,
  encode: Encode,
): unknown[] {
  const { collection } = table;
  const values: unknown[] = [tenantId, record.id, record.version, record.createdAt, staleAt(collection, record)];
  if (collection.search) values.push(searchText(collection, record));
  for (const name in columns) values.push(encode(columns[name] ?? null));
  if (table.spec.shape !== undefined) values.push(table.spec.shape, record.version);
  values.push(recordText(record));
  return values;
}

/** The folded text that `search` covers. */
export function searchText<R extends StoredRecord>(collection: StoredCollection<R>, record: R): string {
  return collection.search ? foldText(collection.search(record)) : "";
}

function staleAt<R extends StoredRecord>(collection: StoredCollection<R>, record: R): string | null {
  return collection.staleAt?.(record) ?? null;
}
