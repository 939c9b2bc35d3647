import { type FieldValue, fieldValue, type StoredRecord } from "#store/collection.js";
import type { Reader } from "#store/store.js";
import type { Collection } from "../records/collection.js";
import { everyDue } from "./seen-records.js";

/** Numbers of records by value of a counted field. */
export type Counts = ReadonlyMap<string, number>;

/** By field and value: how many records more or less have it than the counters say. */
type Turned = ReadonlyMap<string, Counts>;

/** The counters of a field as readers see the records at a moment. */
export function countsAt<R extends StoredRecord>(
  reader: Reader,
  collection: Collection<R>,
  field: string,
  now: string,
): Promise<Counts> {
  return corrected(reader, collection, field, turnedBy(reader, collection, timesOf(collection, field), now));
}

/** The counters of a field as they are stored, to which changes that were written add up. */
export function writtenCounts<R extends StoredRecord>(
  reader: Reader,
  collection: Collection<R>,
  field: string,
): Promise<Counts> {
  return reader.countBy(collection, field);
}

/** The counters of a field, corrected by what time has changed and no job has stored. */
export async function corrected<R extends StoredRecord>(
  reader: Reader,
  collection: Collection<R>,
  field: string,
  turned: Promise<Turned>,
): Promise<Counts> {
  const [counts, changes] = await Promise.all([reader.countBy(collection, field), turned]);
  for (const [value, more] of changes.get(field) ?? []) add(counts, value, more);
  return new Map([...counts].filter(([, count]) => count > 0));
}

/**
 * The time fields at which time changes a counted field. Filters by it say so. What no filter is by may change at any
 * of the collection.
 */
export function timesOf<R extends StoredRecord>(collection: Collection<R>, field: string): readonly string[] {
  const { fields, filters, timeTransition } = collection;
  const declared = fields[field];
  if (declared && "combines" in declared)
    return [...new Set(declared.combines.flatMap((part) => timesOf(collection, part)))];
  const all = Object.entries(filters).map(([name, filter]) => ({ field: name, ...filter }));
  const own = all.filter((filter) => filter.field === field);
  const changes = (some: typeof all) => some.flatMap(({ changesAt }) => changesAt ?? []);
  if (own.length > 0) return [...new Set(changes(own))];
  return [...new Set([...(timeTransition ? [timeTransition.by] : []), ...changes(all)])];
}

/** What time has changed in all counted fields. It looks at each record of which one of these times has passed. */
export async function turnedBy<R extends StoredRecord>(
  reader: Reader,
  collection: Collection<R>,
  times: readonly string[],
  now: string,
): Promise<Turned> {
  const turned = new Map(collection.counted.map((field) => [field, new Map<string, number>()] as const));
  const isDue = (record: R, by: string) => (fieldValue(collection, record, by) ?? "~") <= now;
  for (const [at, by] of times.entries())
    for await (const found of everyDue(reader, collection, by, now))
      for (const { stored, seen } of found) {
        // An earlier time has found it already.
        if (times.slice(0, at).some((earlier) => isDue(stored, earlier))) continue;
        for (const [field, counts] of turned) {
          add(counts, fieldValue(collection, stored, field), -1);
          add(counts, fieldValue(collection, seen, field), 1);
        }
      }
  return turned;
}

/** As stores count: by the value as a text, and nothing for no value. */
function add(counts: Map<string, number>, value: FieldValue, more: number): void {
  if (value !== null) counts.set(String(value), (counts.get(String(value)) ?? 0) + more);
}
