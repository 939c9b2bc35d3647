import { keptCounters } from "./added-fields.js";
import { combined, type FieldValue, type StoredCollection, type StoredRecord } from "./collection.js";
import type { AnyOf } from "./filters.js";

/** Counters whose sum is a total. */
export interface Counters {
  readonly from: "counters";
  readonly field: string;
  readonly values: readonly FieldValue[];
}

/** The counted field that covers exactly these filters, with all of its matching values; `undefined` without one. */
export function countersOf<R extends StoredRecord>(
  collection: Pick<StoredCollection<R>, "counted" | "fields" | "addedFields">,
  filters: readonly AnyOf[],
): Counters | undefined {
  const { fields } = collection;
  const counted = keptCounters(collection);
  const [first, ...others] = filters;
  if (!first || filters.some(([, values]) => values.includes(null))) return undefined;
  if (others.length === 0)
    return counted.includes(first[0]) ? { from: "counters", field: first[0], values: first[1] } : undefined;
  for (const name of counted) {
    const field = fields[name];
    const parts = field && "combines" in field ? field.combines : [];
    const held = parts.flatMap((part) => filters.filter(([asked]) => asked === part));
    if (held.length !== parts.length || held.length !== filters.length) continue;
    const rows = held.reduce<FieldValue[][]>(
      (all, [, values]) => all.flatMap((row) => values.map((value) => [...row, value])),
      [[]],
    );
    return { from: "counters", field: name, values: rows.map(combined) };
  }
  return undefined;
}
