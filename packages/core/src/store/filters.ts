import type { FieldValue, StoredCollection, StoredRecord } from "./collection.js";
import { checkValue } from "./column.js";
import { comparedValue, fail, typeOf } from "./declared.js";
import type { Filters } from "./find-query.js";
import { textMark } from "./texts.js";

/**
 * A filter of several values, one of which must match. For a field of texts, each value is a mark (`textMark`) to find
 * in its column.
 */
export type AnyOf = readonly [field: string, values: readonly FieldValue[], type?: "texts"];

/** The filters of a query. Throws a TypeError for an unknown field, a value of the wrong type or an empty list. */
export function filtersOf<R extends StoredRecord>(
  collection: Pick<StoredCollection<R>, "name" | "fields">,
  where: Filters = {},
): readonly AnyOf[] {
  return Object.entries(where).map(([name, asked]): AnyOf => {
    const values = valuesOf(asked);
    if (values.length === 0) fail(collection, `no value for "${name}"`);
    const type = typeOf(collection, name);
    for (const value of values) checkValue(name, type, value);
    if (type === "texts") return [name, values.map(textOf), type];
    return [name, [...new Set(values.map((value) => comparedValue(collection, name, value)))]];
  });
}

/** Whether a row with this column value matches a filter. */
export function passes([, wanted, type]: AnyOf, held: FieldValue): boolean {
  if (type === undefined || typeof held !== "string") return wanted.includes(held);
  return wanted.some((mark) => mark !== null && held.includes(String(mark)));
}

/** The distinct values of a filter. */
export function valuesOf(asked: Filters[string]): readonly FieldValue[] {
  return Array.isArray(asked) ? [...new Set(asked as readonly FieldValue[])] : [asked as FieldValue];
}

function textOf(value: FieldValue): FieldValue {
  return value === null ? null : textMark(String(value));
}
