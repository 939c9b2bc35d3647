import { columnValues, markedShape, recordText, type StoredCollection, upcast } from "@reeve/core/store";
import type { Part } from "./dialect.js";
import { snake } from "./names.js";
import { type Encode, searchText } from "./table.js";
import { MARKS } from "./table-spec.js";

/** The cells of an outdated row that its new columns are made from, in order. */
export const OUTDATED = ["id", "version", "body", ...MARKS];

/** The shape that rows get, and the columns that the table has by then. */
export interface Target {
  readonly collection: StoredCollection;
  readonly shape: number;
  /** The columns of declared fields. */
  readonly fields: readonly string[];
  readonly searchable: boolean;
  /** The columns of unique keys that older code does not know. A record may share one with another for a while. */
  readonly keys: readonly (readonly string[])[];
}

/** The values of a key that a record would hold, beside those of its other columns. */
export interface Claim {
  readonly columns: readonly string[];
  readonly values: readonly unknown[];
}

/** The columns that filling a row writes, in the order of `filledRow`. */
export function filledColumns({ fields, searchable }: Target): readonly string[] {
  return ["body", "stale_at", ...MARKS, ...fields, ...(searchable ? ["search_text"] : [])];
}

/** The keys that a row would hold, from what `filledRow` made. One with a `null` does not apply. */
export function claimsOf(target: Target, filled: readonly unknown[]): readonly Claim[] {
  const names = filledColumns(target);
  const claims = target.keys.map((columns) => ({
    columns,
    values: columns.map((column) => filled[names.indexOf(column)]),
  }));
  return claims.filter(({ values }) => !values.includes(null));
}

/** The same values without those of keys, which are claimed one by one, because another record may hold them. */
export function withoutKeys(target: Target, filled: readonly unknown[]): readonly unknown[] {
  const held = new Set(target.keys.flat());
  return filledColumns(target).map((column, at) => (held.has(column) ? null : filled[at]));
}

/** The update of a row that takes a key unless another row has it, with the slots `tenant`, `id`, `version`, `k0`, `k1`… */
export function claimPart(table: string, columns: readonly string[]): Part {
  const set = columns.map((column) => `"${column}" = ?`).join(", ");
  const same = columns.map((column) => ` and o."${column}" = ?`).join("");
  const keys = columns.map((_, at) => `k${at}`);
  return {
    sql: `update ${table} set ${set} where tenant_id = ? and id = ? and version = ? and removed_at is null
  and not exists (select 1 from ${table} o where o.tenant_id = ?${same} and o.removed_at is null) returning id`,
    slots: [...keys, "tenant", "id", "version", "tenant", ...keys],
  };
}

/**
 * The columns of an outdated row. Columns follow from the record as this code reads it; its text gets the wanted shape,
 * because the columns of a later one may be missing still.
 */
export function filledRow(target: Target, cells: readonly unknown[], encode: Encode): readonly unknown[] {
  const { collection, shape, fields, searchable } = target;
  const version = Number(cells[1]);
  const [held, of] = [cells[3], cells[4]].map((mark) => (mark === null ? null : Number(mark)));
  const from = markedShape(version, held ?? null, of ?? null);
  const wanted = upcast(collection, JSON.parse(cells[2] as string), from, shape);
  const record = upcast(collection, wanted, shape);
  const values = columnValues(collection, record);
  const byColumn = new Map(Object.entries(values).map(([field, value]) => [snake(field), value]));
  return [
    recordText(wanted),
    collection.staleAt?.(record) ?? null,
    shape,
    version,
    ...fields.map((column) => encode(byColumn.get(column) ?? null)),
    ...(searchable ? [searchText(collection, record)] : []),
  ];
}
