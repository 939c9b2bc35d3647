import { keptCounters } from "./added-fields.js";
import { combined, type FieldValue, placeMark, type StoredCollection, type StoredRecord } from "./collection.js";
import type { AnyOf } from "./filters.js";

/** Counters whose sum is a total. */
export interface Counters {
  readonly from: "counters";
  readonly field: string;
  readonly values: readonly FieldValue[];
}

/** The counters of combinations that are summed at the most. With more of them a total is a lower bound. */
export const COMBINATION_LIMIT = 5_000;

/** Counters of combinations. The sum of those that have a mark of each list is a total. */
export interface PartialCounters {
  readonly from: "combinations";
  readonly field: string;
  readonly marks: readonly (readonly string[])[];
}

/** The counted field that covers exactly these filters, with all of its matching values; `undefined` without one. */
export function countersOf<R extends StoredRecord>(
  collection: Pick<StoredCollection<R>, "counted" | "fields" | "addedFields">,
  filters: readonly AnyOf[],
): Counters | PartialCounters | undefined {
  const { fields } = collection;
  const counted = keptCounters(collection);
  const [first, ...others] = filters;
  if (!first || filters.some(([, values]) => values.includes(null))) return undefined;
  if (others.length === 0 && counted.includes(first[0])) return { from: "counters", field: first[0], values: first[1] };
  for (const name of counted) {
    const field = fields[name];
    const parts = field && "combines" in field && !field.partly ? field.combines : [];
    const held = parts.flatMap((part) => filters.filter(([asked]) => asked === part));
    if (held.length !== parts.length || held.length !== filters.length) continue;
    const rows = held.reduce<FieldValue[][]>(
      (all, [, values]) => all.flatMap((row) => values.map((value) => [...row, value])),
      [[]],
    );
    return { from: "counters", field: name, values: rows.map(combined) };
  }
  return partialCountersOf(fields, counted, filters);
}

/** The counted field that covers some of its parts. */
function partialCountersOf<R extends StoredRecord>(
  fields: StoredCollection<R>["fields"],
  counted: readonly string[],
  filters: readonly AnyOf[],
): PartialCounters | undefined {
  for (const name of counted) {
    const field = fields[name];
    if (!field || !("combines" in field) || !field.partly) continue;
    const places = filters.map(([asked]) => field.combines.indexOf(asked));
    if (places.includes(-1)) continue;
    const marks = filters.map(([, values], at) => values.map((value) => placeMark(places[at] as number, value)));
    return { from: "combinations", field: name, marks };
  }
  return undefined;
}
