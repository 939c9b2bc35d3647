import type { FieldValue, StoredCollection, StoredRecord } from "./collection.js";
import { checkValue } from "./column.js";
import { fail, typeOf } from "./declared.js";
import type { Filters } from "./store.js";
import { textMark } from "./texts.js";

/** A filter of several values. Of a field that holds several texts, the values are what its column must hold one of. */
export type AnyOf = readonly [field: string, values: readonly FieldValue[], type?: "texts"];

/** The filters of a query. Throws a TypeError for an unknown field, a value of another type, or none. */
export function filtersOf<R extends StoredRecord>(
  collection: Pick<StoredCollection<R>, "name" | "fields">,
  where: Filters = {},
): readonly AnyOf[] {
  return Object.entries(where).map(([name, asked]): AnyOf => {
    const values = valuesOf(asked);
    if (values.length === 0) fail(collection, `no value for "${name}"`);
    const type = typeOf(collection, name);
    for (const value of values) checkValue(name, type, value);
    return type === "texts" ? [name, values.map(textOf), type] : [name, values];
  });
}

/** Whether a row with this value in its column passes a filter. */
export function passes([, wanted, type]: AnyOf, held: FieldValue): boolean {
  if (type === undefined || typeof held !== "string") return wanted.includes(held);
  return wanted.some((mark) => mark !== null && held.includes(String(mark)));
}

/** The values of a filter, one or several, each once. */
export function valuesOf(asked: Filters[string]): readonly FieldValue[] {
  return Array.isArray(asked) ? [...new Set(asked as readonly FieldValue[])] : [asked as FieldValue];
}

function textOf(value: FieldValue): FieldValue {
  return value === null ? null : textMark(String(value));
}
