import type { FieldValue, KeyRow, KeySource, StoredRecord } from "@reeve/core/store";
import type { Access } from "./access.js";
import type { Rows } from "./dialect.js";
import { keysQuery } from "./page-queries.js";
import type { Table, TableShape } from "./table.js";
import { counterValues, keyValues } from "./values.js";

/** How rows of a table are gathered. */
export function keySource<R extends StoredRecord>(access: Access, tenantId: string, table: Table<R>): KeySource {
  const { queries } = access;
  return {
    async keys(query) {
      if (query.from === "search") return access.searchKeys(tenantId, table, query);
      const rows = await access.rows(keysQuery(queries, table, query), keyValues(queries.dialect, tenantId, query));
      return keysOf(table, query.fields, rows);
    },
    async counted(plan) {
      const [row] = await access.rows(queries.counter(plan), counterValues(queries.dialect, tenantId, table, plan));
      return (row?.[0] as number | undefined) ?? 0;
    },
  };
}

/** Keys out of rows: id, hit, then the fields. */
export function keysOf(table: TableShape, fields: readonly string[], rows: Rows): KeyRow[] {
  const types = fields.map((field) => table.spec.columns[table.columnOf[field] as string]);
  return rows.map(([id, hit, ...cells]) => ({
    id: id as string,
    hit: Boolean(hit),
    values: Object.fromEntries(fields.map((field, at) => [field, fieldOf(types[at], cells[at])])),
  }));
}

function fieldOf(type: string | undefined, cell: unknown): FieldValue {
  return type === "boolean" && cell !== null ? Boolean(cell) : (cell as FieldValue);
}
