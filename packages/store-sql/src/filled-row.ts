import { type Collection, columnValues, markedShape, recordText, upcast } from "@reeve/core/store";
import { snake } from "./names.js";
import { type Encode, searchText } from "./table.js";
import { MARKS } from "./table-spec.js";

/** The cells of an outdated row that its new columns are made from, in order. */
export const OUTDATED = ["id", "version", "body", ...MARKS];

/** The shape that rows get, and the columns that the table has by then. */
export interface Target {
  readonly collection: Collection;
  readonly shape: number;
  /** The columns of declared fields. */
  readonly fields: readonly string[];
  readonly searchable: boolean;
}

/** The columns that filling a row writes, in the order of `filledRow`. */
export function filledColumns({ fields, searchable }: Target): readonly string[] {
  return ["body", "stale_at", ...MARKS, ...fields, ...(searchable ? ["search_text"] : [])];
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
