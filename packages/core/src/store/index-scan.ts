import type { FieldValue, Index, StoredCollection, StoredRecord } from "./collection.js";
import type { AnyOf } from "./filters.js";
import type { Condition } from "./query.js";
import type { FindQuery } from "./store.js";

/** Rows sought by an index, and what is asked of each of them beyond that. */
export interface Scan {
  readonly index: Index;
  /** Fields of the index with their one value, in its order. */
  readonly where: readonly Condition[];
  /** A field of the index with several values: one seek for each. */
  readonly anyOf: AnyOf | undefined;
  /** Filters that the index does not answer. */
  readonly residual: readonly AnyOf[];
  /** Folded words that the search text must hold. */
  readonly words: readonly string[];
  readonly by: string;
  readonly range: NonNullable<FindQuery["range"]>;
}

/** Values of one field that are sought one by one; more are looked for among the rows. */
const MOST_SEEKS = 8;

type Indexed<R extends StoredRecord> = Pick<StoredCollection<R>, "indexes">;

/** Whether rows are looked at that are no hits. */
export function isBounded({ residual, words }: Pick<Scan, "residual" | "words">): boolean {
  return residual.length > 0 || words.length > 0;
}

/** The index that answers most of the filters: with fewest seeks, and of equal ones the first declared. */
export function bestIndex<R extends StoredRecord>(
  { indexes }: Indexed<R>,
  filters: readonly AnyOf[],
  by: string | undefined,
): Index | undefined {
  let best: Index | undefined;
  let fewest = 0;
  for (const index of indexes) {
    if (by !== undefined && (index.by ?? "createdAt") !== by) continue;
    const seeks = seeksOf(index, filters);
    if (seeks === undefined) continue;
    const more = best ? index.where.length - best.where.length : 1;
    if (more < 0 || (more === 0 && seeks >= fewest)) continue;
    best = index;
    fewest = seeks;
  }
  return best;
}

/** In how many seeks an index answers its part of the filters; `undefined` when it cannot. */
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

/** The scan that looks at the fewest rows, in whatever order. */
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
