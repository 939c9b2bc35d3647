import type { Field, FieldValue, Index, StoredCollection, StoredRecord } from "./collection.js";
import { MOST_SEEKS } from "./collection.js";
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
  /** A field of the index that nothing is asked of, with every value it can have: one seek for each. */
  readonly each: Each | undefined;
  /** Filters that the index does not answer. */
  readonly residual: readonly AnyOf[];
  /** Folded words that the search text must hold. */
  readonly words: readonly string[];
  readonly by: string;
  readonly range: NonNullable<FindQuery["range"]>;
}

/** A field with every value it can have. */
export type Each = readonly [field: string, values: readonly string[]];

type Indexed<R extends StoredRecord> = Pick<StoredCollection<R>, "fields" | "indexes">;

/** Whether rows are looked at that are no hits. */
export function isBounded({ residual, words }: Pick<Scan, "residual" | "words">): boolean {
  return residual.length > 0 || words.length > 0;
}

/** How many filters a scan answers by its index. */
export function answeredBy({ where, anyOf }: Scan): number {
  return where.length + (anyOf ? 1 : 0);
}

/** The index that answers most of the filters: with fewest seeks, and of equal ones the first declared. */
export function bestIndex<R extends StoredRecord>(
  collection: Indexed<R>,
  filters: readonly AnyOf[],
  by: string | undefined,
): Index | undefined {
  let best: Index | undefined;
  let most = 0;
  let fewest = 0;
  for (const index of collection.indexes) {
    if (by !== undefined && (index.by ?? "createdAt") !== by) continue;
    const served = servedBy(collection, index, filters);
    if (!served) continue;
    const more = best ? served.answered - most : 1;
    if (more < 0 || (more === 0 && served.seeks >= fewest)) continue;
    best = index;
    most = served.answered;
    fewest = served.seeks;
  }
  return best;
}

/** How many of the filters an index answers, and in how many seeks of what is asked; `undefined` when it cannot. */
function servedBy<R extends StoredRecord>(
  { fields }: Indexed<R>,
  { where }: Index,
  filters: readonly AnyOf[],
): { readonly answered: number; readonly seeks: number } | undefined {
  let [answered, seeks] = [0, 1];
  for (const field of where) {
    const values = filters.find(([name]) => name === field)?.[1];
    if (!values) {
      if (answered === 0 || answered < where.length - 1 || !valuesOfField(fields[field])) return undefined;
      continue;
    }
    answered += 1;
    if (values.length === 1) continue;
    if (seeks > 1 || values.length > MOST_SEEKS || values.includes(null)) return undefined;
    seeks = values.length;
  }
  return { answered, seeks };
}

function valuesOfField<R>(field: Field<R> | undefined): readonly string[] | undefined {
  return field && "values" in field ? field.values : undefined;
}

/** The scan that looks at the fewest rows, in whatever order. */
export function scanInAnyOrder<R extends StoredRecord>(
  collection: Indexed<R>,
  filters: readonly AnyOf[],
  words: readonly string[],
): Scan {
  const index = bestIndex(collection, filters, undefined) as Index;
  return scanOf(collection, index, filters, words, index.by ?? "createdAt", {});
}

export function scanOf<R extends StoredRecord>(
  { fields }: Indexed<R>,
  index: Index,
  filters: readonly AnyOf[],
  words: readonly string[],
  by: string,
  range: Scan["range"],
): Scan {
  const held = index.where.flatMap((field) => filters.filter(([name]) => name === field));
  const free = held.length < index.where.length ? index.where.at(-1) : undefined;
  return {
    index,
    where: held.flatMap(([field, values]) => (values.length === 1 ? [[field, values[0] as FieldValue] as const] : [])),
    anyOf: held.find(([, values]) => values.length > 1),
    each: free === undefined ? undefined : [free, valuesOfField(fields[free]) as readonly string[]],
    residual: filters.filter(([field]) => !index.where.includes(field)),
    words,
    by,
    range,
  };
}
