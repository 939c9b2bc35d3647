import type { FieldValue, KeyRow } from "@reeve/core/store";
import type { Rows } from "../schema/dialect.js";
import type { TableShape } from "../schema/table.js";

/** Key rows from cells: id, hit, then the fields. */
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
