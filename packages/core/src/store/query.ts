import type { FieldValue, StoredCollection, StoredRecord } from "./collection.js";
import { checkValue } from "./column.js";
import { comparedValue, fail, typeOf } from "./declared.js";
import type { EventQuery, EventStreams } from "./event-log.js";
import type { Where } from "./find-query.js";

/** One equality of a filter. */
export type Condition = readonly [field: string, value: FieldValue];

/** The most rows, ids or events one call may ask for. */
export const SIZE_LIMIT = 1_000;
/** The most streams of one query of events. */
export const STREAMS_LIMIT = 16;

/**
 * The fields of a declared unique key with their values. `undefined` when one is `null`, because no row holds such a
 * key.
 */
export function planLookup<R extends StoredRecord>(
  collection: Pick<StoredCollection<R>, "name" | "fields" | "unique">,
  key: string,
  values: Where,
): readonly Condition[] | undefined {
  const fields = Object.hasOwn(collection.unique, key) ? collection.unique[key] : undefined;
  if (!fields) fail(collection, `no unique key "${key}"`);
  if (!sameNames(fields, Object.keys(values))) fail(collection, `key "${key}" is made of [${fields}]`);
  const found = fields.map((name): Condition => {
    const value = values[name];
    checkValue(name, typeOf(collection, name), value);
    return [name, comparedValue(collection, name, value)];
  });
  return found.some(([, value]) => value === null) ? undefined : found;
}

/**
 * Checks many lookups of one key. The result has the values to look up, `undefined` where one is `null`. Throws for
 * more than `SIZE_LIMIT`.
 */
export function planLookups<R extends StoredRecord>(
  collection: Pick<StoredCollection<R>, "name" | "fields" | "unique">,
  key: string,
  values: readonly Where[],
): readonly (readonly Condition[] | undefined)[] {
  if (values.length > SIZE_LIMIT) throw new TypeError(`at most ${SIZE_LIMIT} keys, not ${values.length}`);
  return values.map((each) => planLookup(collection, key, each));
}

/** Throws unless the collection counts the values of `field`. */
export function checkCountBy<R extends StoredRecord>(
  collection: Pick<StoredCollection<R>, "name" | "counted">,
  field: string,
): void {
  if (!collection.counted.includes(field)) fail(collection, `"${field}" is not counted`);
}

/** Throws unless a query of events is valid. */
export function checkEventQuery(query: EventQuery): void {
  streamsOf(query.stream);
  checkSize(query.size);
  if (query.page !== undefined && query.before !== undefined) throw new TypeError("page and before exclude each other");
  if (query.page !== undefined) checkWhole("page", query.page, 0);
  if (query.before !== undefined) checkWhole("before", query.before, 0);
}

/** The distinct streams of a query; `undefined` for all of a tenant. Throws for none of them and for more than 16. */
export function streamsOf(asked: EventStreams | undefined): readonly string[] | undefined {
  if (asked === undefined) return undefined;
  const streams = typeof asked === "string" ? [asked] : [...new Set(asked)];
  if (streams.length < 1 || streams.length > STREAMS_LIMIT)
    throw new TypeError(`1 to ${STREAMS_LIMIT} streams, not ${streams.length}`);
  return streams;
}

/** Throws unless `size` is a whole number from 1 to `SIZE_LIMIT`. */
export function checkSize(size: number): void {
  if (!Number.isInteger(size) || size < 1 || size > SIZE_LIMIT) {
    throw new TypeError(`size must be 1 to ${SIZE_LIMIT}, not ${size}`);
  }
}

/** The distinct ids, in the order given. Throws for more than `SIZE_LIMIT`. */
export function checkIds(ids: readonly string[]): readonly string[] {
  if (ids.length > SIZE_LIMIT) throw new TypeError(`at most ${SIZE_LIMIT} ids, not ${ids.length}`);
  return [...new Set(ids)];
}

/** The distinct sequences. Throws unless they are whole numbers from 1, at most `SIZE_LIMIT`. */
export function checkSequences(sequences: readonly number[]): readonly number[] {
  if (sequences.length > SIZE_LIMIT) throw new TypeError(`at most ${SIZE_LIMIT} sequences, not ${sequences.length}`);
  for (const sequence of sequences) checkWhole("sequence", sequence, 1);
  return [...new Set(sequences)];
}

/** Throws unless `upTo` is a sequence, or 0 for none. */
export function checkPrune(upTo: number): void {
  checkWhole("upTo", upTo, 0);
}

/** Throws unless the collection has platform scope. */
export function checkPlatform(collection: Pick<StoredCollection<never>, "name" | "scope">): void {
  if (collection.scope !== "platform") fail(collection, "is read within a tenant only");
}

/** As `planLookup` of a collection of platform scope, of a key that holds across tenants or of one that holds within each. */
export function planPlatformLookup<R extends StoredRecord>(
  collection: Pick<StoredCollection<R>, "name" | "fields" | "unique" | "scope" | "uniqueInTenant">,
  key: string,
  values: Where,
  reach: "across tenants" | "within a tenant",
): readonly Condition[] | undefined {
  checkPlatform(collection);
  const planned = planLookup(collection, key, values);
  const isInTenant = collection.uniqueInTenant.includes(key);
  if (isInTenant !== (reach === "within a tenant")) fail(collection, `key "${key}" does not hold ${reach}`);
  return planned;
}

/** Throws unless `value` is a whole number of at least `least`. */
export function checkWhole(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least)
    throw new TypeError(`${name} must be ${least} or more, not ${value}`);
}

function sameNames(declared: readonly string[], asked: readonly string[]): boolean {
  return declared.length === asked.length && declared.every((name) => asked.includes(name));
}
