import type { FieldValue, Index, StoredCollection, StoredRecord } from "./collection.js";
import type { AnyOf } from "./filters.js";
import type { FindQuery } from "./find-query.js";
import type { Condition } from "./query.js";

/** The rows that an index finds, and the conditions that it does not cover. */
export interface Scan {
  readonly index: Index;
  /** Index fields with one value each, in the order of the index. */
  readonly where: readonly Condition[];
  /** An index field with several values: one seek per value. */
  readonly anyOf: AnyOf | undefined;
  /** Filters that the index does not cover. */
  readonly residual: readonly AnyOf[];
  /** Folded words that the search text must contain. */
  readonly words: readonly string[];
  readonly by: string;
  readonly range: NonNullable<FindQuery["range"]>;
}

/** The most values of a field that get a seek each. With more, the field is filtered among the rows. */
const MOST_SEEKS = 8;

type Indexed<R extends StoredRecord> = Pick<StoredCollection<R>, "indexes">;

/** Whether some of the rows may not match. */
export function isBounded({ residual, words }: Pick<Scan, "residual" | "words">): boolean {
  return residual.length > 0 || words.length > 0;
}

/**
 * The index that covers the most filters. Among equals, the one with the fewest seeks, then the first declared.
 * A partial one lacks rows unless `range` of `by` leaves them out.
 */
export function bestIndex<R extends StoredRecord>(
  { indexes }: Indexed<R>,
  filters: readonly AnyOf[],
  by: string | undefined,
  range: FindQuery["range"] = {},
): Index | undefined {
  let best: Index | undefined;
  let fewest = 0;
  for (const index of indexes) {
    if (by !== undefined && (index.by ?? "createdAt") !== by) continue;
    if (index.partial && Object.values(range).every((bound) => bound === undefined)) continue;
    const seeks = seeksOf(index, filters);
    if (seeks === undefined) continue;
    const more = best ? index.where.length - best.where.length : 1;
    if (more < 0 || (more === 0 && seeks >= fewest)) continue;
    best = index;
    fewest = seeks;
  }
  return best;
}

/** The number of seeks with which an index covers its fields; `undefined` when it cannot. */
function seeksOf({ where }: Index, filters: readonly AnyOf[]): number | undefined {
  let seeks = 1;
  for (const field of where) {
    const values = filters.find(([name]) => name === field)?.[1];
    if (!values) return undefined;
    if (values.length === 1) continue;
    if (seeks > 1 || values.length > MOST_SEEKS || values.includes(null)) return undefined;
    seeks = values.length;
  }
  return seeks;
}

/** The scan that examines the fewest rows, in any order. */
export function scanInAnyOrder<R extends StoredRecord>(
  collection: Indexed<R>,
  filters: readonly AnyOf[],
  words: readonly string[],
): Scan {
  const index = bestIndex(collection, filters, undefined) as Index;
  return scanOf(index, filters, words, index.by ?? "createdAt", {});
}

export function scanOf(
  index: Index,
  filters: readonly AnyOf[],
  words: readonly string[],
  by: string,
  range: Scan["range"],
): Scan {
  const held = index.where.map((field): AnyOf => filters.find(([name]) => name === field) ?? [field, []]);
  return {
    index,
    where: held.flatMap(([field, values]) => (values.length === 1 ? [[field, values[0] as FieldValue] as const] : [])),
    anyOf: held.find(([, values]) => values.length > 1),
    residual: filters.filter(([field]) => !index.where.includes(field)),
    words,
    by,
    range,
  };
}
