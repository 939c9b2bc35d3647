import type { FieldType, StoredCollection } from "@reeve/core/store";
import { outdatedIndex } from "../schema/ddl.js";
import type { TableDialect } from "../schema/dialect.js";
import { type IndexSpec, indexedRows, indexName, MARKS, uniqueName } from "../schema/table-spec.js";

/** A table of an earlier migration that gets columns and a new shape of its records. */
export interface Reshape {
  readonly table: string;
  /** The shape that its rows get. */
  readonly shape: number;
  /** Whether the table has no marks of shapes yet. */
  readonly marks: boolean;
  readonly columns: Readonly<Record<string, FieldType>>;
  readonly indexes: readonly IndexSpec[];
  /** The columns of the unique keys that it adds, by name. */
  readonly unique?: Readonly<Record<string, readonly string[]>>;
  /**
   * `keys`: it insists that no two records share an added key. `shape`: it only fills what older code has written since
   * the shape came.
   */
  readonly settles?: "keys" | "shape";
  /** The collection as this code knows it, with the upcasts. It is no part of the checksum. */
  readonly collection: StoredCollection;
}

/** The statements that add columns. Checksums are made of them, so they never change. */
export function columnStatements({ table, marks, columns }: Reshape, dialect: TableDialect): string[] {
  const added = { ...columns, ...(marks ? Object.fromEntries(MARKS.map((mark) => [mark, "integer" as const])) : {}) };
  return Object.entries(added).map(
    ([column, type]) => `ALTER TABLE ${dialect.table(table)} ADD COLUMN "${column}" ${dialect.types[type]}`,
  );
}

/** The statements that create indexes. Checksums are made of them, so they never change. */
export function indexStatements(
  { table, shape, indexes, unique = {}, settles }: Reshape,
  dialect: TableDialect,
): string[] {
  const made = indexes.map((index) => {
    const columns = ["tenant_id", ...index.where, index.by, "id"].join(", ");
    const name = dialect.index(indexName(table, index));
    const rows = indexedRows(index.partial ? { needs: index.by } : {});
    return `CREATE INDEX ${name} ON ${dialect.table(table)} (${columns}) WHERE ${rows}`;
  });
  const keys = Object.entries(unique).map(([key, columns]) => {
    const name = dialect.index(uniqueName(table, key));
    return `CREATE UNIQUE INDEX ${name} ON ${dialect.table(table)} (tenant_id, ${columns.join(", ")}) WHERE removed_at IS NULL`;
  });
  return [...(settles ? [] : [outdatedIndex(table, shape, dialect)]), ...made, ...keys];
}
