import { type Collection, type FieldValue, foldText, type Index, type StoredRecord } from "../kernel/collection.js";
import { checkValue } from "./column.js";
import type { EventQuery } from "./event-log.js";
import type { FindQuery, Where } from "./store.js";

/** A total that no counter holds is counted up to this many rows; one more row makes it inexact. */
export const COUNT_LIMIT = 1_000;
/** The total of a search goes no further than this many rows: each of them is read for it, as an index knows of parts of a term only. */
export const SEARCH_COUNT_LIMIT = 200;
/**
 * A search looks at no more than this many rows: the newest of its filter when the term is too short for a trigram
 * index (under three characters), the newest hits of the index otherwise.
 */
export const SEARCH_CANDIDATES = 10_000;
/** The most rows, ids or events one call may ask for. */
export const SIZE_LIMIT = 1_000;

/** One equality of a filter. */
export type Condition = readonly [field: string, value: FieldValue];

/** Where a total comes from: the counter of all records, the counter of one value, or a count that stops at its bound. */
export type CountPlan =
  | { readonly from: "total" }
  | { readonly from: "counter"; readonly field: string; readonly value: string | number | boolean }
  | { readonly from: "rows" };

/** A query that was found sound: every name is declared, every value fits its column, every default is filled in. */
export interface FindPlan {
  readonly index: Index;
  /** In the order of the index. */
  readonly where: readonly Condition[];
  /** Folded, ready to be looked for in folded text. */
  readonly search: string | undefined;
  readonly by: string;
  readonly direction: "asc" | "desc";
  readonly range: NonNullable<FindQuery["range"]>;
  readonly size: number;
  readonly page: number | undefined;
  readonly after: FindQuery["after"];
  readonly total: CountPlan;
}

/** How many rows are counted at most for a total that no counter holds. */
export function countLimit({ search }: Pick<FindQuery, "search">): number {
  return search === undefined ? COUNT_LIMIT : SEARCH_COUNT_LIMIT;
}

type AnyCollection<R extends StoredRecord> = Pick<Collection<R>, "name" | "fields" | "indexes" | "counted" | "search">;

/**
 * Checks a find or list against its collection and fills in the defaults. Every store calls this before it asks its
 * database, so all refuse the same queries. Throws a TypeError: an unsound query is a mistake in the program.
 */
export function planFind<R extends StoredRecord>(collection: AnyCollection<R>, query: FindQuery): FindPlan {
  const by = query.order?.by ?? "createdAt";
  const direction = query.order?.direction ?? "desc";
  const type = typeOf(collection, by);
  if (direction !== "asc" && direction !== "desc") fail(collection, `no such direction ${String(direction)}`);
  if (type === "boolean") fail(collection, `cannot be ordered by the boolean "${by}"`);
  const index = collection.indexes.find((each) => (each.by ?? "createdAt") === by && covers(each, query.where));
  if (!index) fail(collection, `no index for a filter by [${Object.keys(query.where ?? {})}] ordered by ${by}`);
  const search = checkSearch(collection, query.search);
  if (search !== undefined && (by !== "createdAt" || direction !== "desc"))
    fail(collection, "search is newest first only");
  checkSize(query.size);
  if (query.page !== undefined && query.after !== undefined) fail(collection, "page and after exclude each other");
  if (query.page !== undefined) checkWhole("page", query.page, 0);
  const { from, before, through } = query.range ?? {};
  if (before !== undefined && through !== undefined) fail(collection, "before and through exclude each other");
  for (const bound of [from, before, through]) if (bound !== undefined) checkValue(by, type, bound);
  if (query.after) checkPosition(by, type, query.after);
  return {
    index,
    where: conditions(collection, index.where, query.where),
    search,
    by,
    direction,
    range: query.range ?? {},
    size: query.size,
    page: query.page,
    after: query.after,
    total: query.range ? { from: "rows" } : countFrom(collection, query),
  };
}

/** Checks a count like `planFind` checks a find. One counted field needs no index, as it is read from its counter. */
export function planCount<R extends StoredRecord>(
  collection: AnyCollection<R>,
  query: Pick<FindQuery, "where" | "search">,
): Pick<FindPlan, "where" | "search" | "total"> {
  const total = countFrom(collection, query);
  const names = Object.keys(query.where ?? {});
  const counted = query.search === undefined && names.length === 1 && collection.counted.includes(names[0] as string);
  const index = collection.indexes.find((each) => covers(each, query.where));
  if (!index && !counted) fail(collection, `no index for a filter by [${names}]`);
  return {
    where: conditions(collection, index?.where ?? names, query.where),
    search: checkSearch(collection, query.search),
    total,
  };
}

/** Checks a `findEach`: the plan of the same find of one value, and the values each once. */
export function planEach<R extends StoredRecord>(
  collection: AnyCollection<R>,
  { field, values, size }: { readonly field: string; readonly values: readonly string[]; readonly size: number },
): { readonly plan: FindPlan; readonly values: readonly string[] } {
  if (typeOf(collection, field) !== "text") fail(collection, `"${field}" is no text`);
  const asked = checkIds(values);
  for (const value of asked) {
    checkValue(field, "text", value);
    if (value === null) fail(collection, "null is no value to look for");
  }
  return { plan: planFind(collection, { where: { [field]: "" }, size }), values: asked };
}

/** The fields of a declared unique key with their values, or `undefined` when one is `null` and so nothing can hold it. */
export function planLookup<R extends StoredRecord>(
  collection: Pick<Collection<R>, "name" | "fields" | "unique">,
  key: string,
  values: Where,
): readonly Condition[] | undefined {
  const fields = Object.hasOwn(collection.unique, key) ? collection.unique[key] : undefined;
  if (!fields) fail(collection, `no unique key "${key}"`);
  if (!sameNames(fields, Object.keys(values))) fail(collection, `key "${key}" is made of [${fields}]`);
  const found = conditions(collection, fields, values);
  return found.some(([, value]) => value === null) ? undefined : found;
}

/** Checks many lookups of one key; places without a `null` are to be looked for. Throws when there are more than `SIZE_LIMIT`. */
export function planLookups<R extends StoredRecord>(
  collection: Pick<Collection<R>, "name" | "fields" | "unique">,
  key: string,
  values: readonly Where[],
): readonly (readonly Condition[] | undefined)[] {
  if (values.length > SIZE_LIMIT) throw new TypeError(`at most ${SIZE_LIMIT} keys, not ${values.length}`);
  return values.map((each) => planLookup(collection, key, each));
}

/** Throws unless `field` is one whose values the collection counts. */
export function checkTally<R extends StoredRecord>(collection: AnyCollection<R>, field: string): void {
  if (!collection.counted.includes(field)) fail(collection, `"${field}" is not counted`);
}

/** Throws unless a query for events is sound. */
export function checkEventQuery(query: EventQuery): void {
  checkSize(query.size);
  if (query.page !== undefined && query.before !== undefined) throw new TypeError("page and before exclude each other");
  if (query.page !== undefined) checkWhole("page", query.page, 0);
  if (query.before !== undefined) checkWhole("before", query.before, 0);
}

/** Throws unless `size` is a whole number from 1 to `SIZE_LIMIT`. */
export function checkSize(size: number): void {
  if (!Number.isInteger(size) || size < 1 || size > SIZE_LIMIT) {
    throw new TypeError(`size must be 1 to ${SIZE_LIMIT}, not ${size}`);
  }
}

/** The ids each once, in the order asked. Throws when there are more than `SIZE_LIMIT`. */
export function checkIds(ids: readonly string[]): readonly string[] {
  if (ids.length > SIZE_LIMIT) throw new TypeError(`at most ${SIZE_LIMIT} ids, not ${ids.length}`);
  return [...new Set(ids)];
}

/** The sequences each once. Throws unless they are whole numbers from 1, and at most `SIZE_LIMIT`. */
export function checkSequences(sequences: readonly number[]): readonly number[] {
  if (sequences.length > SIZE_LIMIT) throw new TypeError(`at most ${SIZE_LIMIT} sequences, not ${sequences.length}`);
  for (const sequence of sequences) checkWhole("sequence", sequence, 1);
  return [...new Set(sequences)];
}

/** Throws unless `upTo` is a sequence, or 0 for none. */
export function checkPrune(upTo: number): void {
  checkWhole("upTo", upTo, 0);
}

/** Throws unless the collection is one of platform scope. */
export function checkPlatform(collection: Pick<Collection<never>, "name" | "scope">): void {
  if (collection.scope !== "platform") fail(collection, "is read within a tenant only");
}

function countFrom<R extends StoredRecord>(
  collection: AnyCollection<R>,
  query: Pick<FindQuery, "where" | "search">,
): CountPlan {
  const filter = Object.entries(query.where ?? {});
  if (query.search !== undefined) return { from: "rows" };
  if (filter.length === 0) return { from: "total" };
  const [field, value] = filter[0] as [string, FieldValue];
  if (filter.length > 1 || value === null || !collection.counted.includes(field)) return { from: "rows" };
  return { from: "counter", field, value };
}

function conditions<R extends StoredRecord>(
  collection: Pick<Collection<R>, "name" | "fields">,
  names: readonly string[],
  where: Where = {},
): readonly Condition[] {
  return names.map((name) => {
    const value = where[name] as FieldValue;
    checkValue(name, typeOf(collection, name), value);
    return [name, value];
  });
}

function checkSearch<R extends StoredRecord>(collection: AnyCollection<R>, text: string | undefined) {
  if (text === undefined) return undefined;
  if (!collection.search) fail(collection, "cannot be searched");
  if (text === "") fail(collection, "cannot be searched for nothing");
  return foldText(text);
}

function checkPosition(
  by: string,
  type: Parameters<typeof checkValue>[1],
  after: NonNullable<FindQuery["after"]>,
): void {
  checkValue(by, type, after.by);
  checkValue("id", "text", after.id);
  if (after.id === null) throw new TypeError("a position names an id");
}

function checkWhole(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least)
    throw new TypeError(`${name} must be ${least} or more, not ${value}`);
}

function covers(index: Index, where: Where = {}): boolean {
  return sameNames(index.where, Object.keys(where));
}

function sameNames(declared: readonly string[], asked: readonly string[]): boolean {
  return declared.length === asked.length && declared.every((name) => asked.includes(name));
}

function typeOf<R extends StoredRecord>(collection: Pick<Collection<R>, "name" | "fields">, field: string) {
  if (field === "createdAt") return "time";
  const declared = Object.hasOwn(collection.fields, field) ? collection.fields[field] : undefined;
  return declared?.type ?? fail(collection, `"${field}" is not a declared field`);
}

function fail(collection: { readonly name: string }, problem: string): never {
  throw new TypeError(`collection ${collection.name}: ${problem}`);
}
