import type { TableDialect } from "./dialect.js";
import {
  databaseIndexes,
  indexedRows,
  outdated,
  outdatedIndexName,
  removedIndexName,
  type TableSpec,
} from "./table-spec.js";

/**
 * The statements that create a collection's table. Applied migrations have a checksum of them, so the result for a
 * given spec must never change. Add a new function for new needs.
 */
export function createTable(spec: TableSpec, dialect: TableDialect): string[] {
  const { text } = dialect;
  const fields = Object.entries(spec.columns).map(([name, type]) => `"${name}" ${dialect.types[type]}`);
  const columns = [
    ...dialect.lead,
    `tenant_id ${text} NOT NULL`,
    `id ${text} NOT NULL`,
    "version integer NOT NULL",
    `created_at ${text} NOT NULL`,
    `removed_at ${text}`,
    `stale_at ${text}`,
    ...fields,
    ...(spec.searchable ? [`search_text ${text} NOT NULL`] : []),
    `body ${text} NOT NULL`,
    dialect.primaryKey,
  ];
  const indexes = databaseIndexes(spec).map((index) => {
    const kind = index.unique ? "UNIQUE INDEX" : "INDEX";
    const on = `${dialect.table(spec.name)} (${index.columns.join(", ")})`;
    return `CREATE ${kind} ${dialect.index(index.name)} ON ${on} WHERE ${indexedRows(index)}`;
  });
  return [
    `CREATE TABLE ${dialect.table(spec.name)} (\n  ${columns.join(",\n  ")}\n)`,
    ...indexes,
    ...(spec.retain ? [removedIndex(spec.name, dialect)] : []),
    ...(spec.shape === undefined ? [] : [outdatedIndex(spec.name, spec.shape, dialect)]),
    ...dialect.after(spec),
  ];
}

function removedIndex(table: string, dialect: TableDialect): string {
  const name = dialect.index(removedIndexName(table));
  return `CREATE INDEX ${name} ON ${dialect.table(table)} (tenant_id, removed_at) WHERE removed_at IS NOT NULL`;
}

/** The statement that creates the index of the rows of earlier shapes. It is part of checksums too. */
export function outdatedIndex(table: string, shape: number, dialect: TableDialect): string {
  const name = dialect.index(outdatedIndexName(table, shape));
  return `CREATE INDEX ${name} ON ${dialect.table(table)} (tenant_id, id) WHERE removed_at IS NULL AND ${outdated(shape)}`;
}
