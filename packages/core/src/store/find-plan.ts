import { keptCounters } from "./added-fields.js";
import type { StoredCollection, StoredRecord } from "./collection.js";
import { checkValue } from "./column.js";
import { foldText } from "./comparison.js";
import { type Counters, countersOf, type PartialCounters } from "./counters.js";
import { fail, typeOf } from "./declared.js";
import { type AnyOf, filtersOf } from "./filters.js";
import type { CountQuery, FindQuery, Order, Position } from "./find-query.js";
import { bestIndex, type Scan, scanInAnyOrder, scanOf } from "./index-scan.js";
import { checkIds, checkSize, checkWhole } from "./query.js";
import type { Total } from "./store.js";

/** A total without a counter is counted up to this many rows. Beyond it the total is inexact. */
export const COUNT_LIMIT = 1_000;
/** The same bound for a search that is not gathered, because the text of each row is read for it. */
export const SEARCH_COUNT_LIMIT = 200;
/** The most rows that one page examines where no index is enough. */
export const SCAN_LIMIT = 5_000;
/** Shorter words are in no trigram index. */
const GRAM = 3;

/** A field to order by. */
export type Key = Required<Order>;

/** The source of a total: the counter of all records, counters of values or of combinations, or a bounded count of rows. */
export type CountPlan =
  | { readonly from: "total" }
  | Counters
  | PartialCounters
  | { readonly from: "rows"; readonly scan: Scan };

/** Few rows to read as a whole and sort: those that may contain the words, or those of an index. */
export type Gather =
  | { readonly from: "search" }
  | { readonly from: "index"; readonly scan: Scan; readonly known: CountPlan | undefined };

/** A checked count. */
export interface CountingPlan {
  readonly filters: readonly AnyOf[];
  readonly words: readonly string[];
  readonly bound: number;
  /** Rows to examine for a total that neither counters nor an index give. */
  readonly looks: number;
  readonly total: CountPlan;
  readonly gather: Gather | undefined;
}

/** A checked query: declared names, values that fit their columns, and defaults filled in. */
export interface FindPlan extends Scan, CountingPlan {
  readonly words: readonly string[];
  readonly direction: "asc" | "desc";
  /** Further fields to order by, after the first. */
  readonly then: readonly Key[];
  readonly size: number;
  readonly page: number | undefined;
  readonly after: Position | undefined;
}

type AnyCollection<R extends StoredRecord> = Pick<
  StoredCollection<R>,
  "name" | "fields" | "indexes" | "counted" | "addedFields" | "search" | "filters" | "orders"
>;

/** The most rows that are counted for a total without a counter. */
export function countLimit({ words }: Pick<Scan, "words">): number {
  return words.length === 0 ? COUNT_LIMIT : SEARCH_COUNT_LIMIT;
}

/** A total for a page. An inexact one is raised to the number of rows up to the end of this page. */
export function totalBeside(total: Total, { page = 0, size }: Pick<FindPlan, "page" | "size">, shown: number): Total {
  const seen = shown === 0 ? 0 : page * size + shown;
  return total.exact || total.count >= seen ? total : { count: seen, exact: false };
}

/** Whether a word is too short for a trigram index. */
export function isShort(word: string): boolean {
  return [...word].length < GRAM;
}

/**
 * Checks a find or list against its collection, fills in defaults and chooses the index. Every store calls it first, so
 * all refuse the same queries. Throws a TypeError, because an invalid query is a programming mistake.
 */
export function planFind<R extends StoredRecord>(collection: AnyCollection<R>, query: FindQuery): FindPlan {
  const [first, ...then] = checkedKeys(collection, query.order);
  const filters = filtersOf(collection, query.where);
  const words = wordsOf(collection, query.search);
  checkPaging(collection, query, first, then);
  const range = query.range ?? {};
  const index = bestIndex(collection, filters, first.by, range);
  if (!index) fail(collection, `no index for an order by ${first.by}`);
  const scan = scanOf(index, filters, words, first.by, range);
  // An index that covers every filter also serves the total.
  const isWhole = scan.residual.length === 0 && query.range === undefined;
  const anyOrder = isWhole ? scan : scanInAnyOrder(collection, filters, words);
  checkPublished(collection, scan, query, [first, ...then]);
  const bound = boundOf(query);
  const total = countFrom(collection, filters, words, query.range ? scan : anyOrder, query.range !== undefined);
  const gather = gatherFrom(collection, filters, words, anyOrder, then.length > 0 ? undefined : scan);
  // Written out, because a spread of so many properties would cost more than the rest of this function.
  return {
    index: scan.index,
    where: scan.where,
    anyOf: scan.anyOf,
    residual: scan.residual,
    words: scan.words,
    by: scan.by,
    range: scan.range,
    filters,
    direction: first.direction,
    then,
    size: query.size,
    page: query.page,
    after: query.after,
    bound,
    looks: looksOf(bound),
    total,
    gather,
  };
}

/** Checks a count, as `planFind` does a find. A counted field needs no index, because its counters are read. */
export function planCount<R extends StoredRecord>(collection: AnyCollection<R>, query: CountQuery): CountingPlan {
  const filters = filtersOf(collection, query.where);
  const words = wordsOf(collection, query.search);
  const total = countFrom(collection, filters, words, scanInAnyOrder(collection, filters, words), false);
  // Counters of an added field are not complete yet. Its rows are counted meanwhile.
  const isCounted = words.length === 0 && countersOf({ ...collection, addedFields: [] }, filters) !== undefined;
  if (total.from === "rows" && !isCounted) checkPublished(collection, total.scan, query, []);
  const gather = words.some((word) => !isShort(word)) ? ({ from: "search" } as const) : undefined;
  const bound = boundOf(query);
  return { filters, words, bound, looks: looksOf(bound), total, gather };
}

/** Checks a `findTopPerKey`: the plan of a find of one value, and the distinct values. */
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
  const plan = planFind(collection, { where: { [field]: "" }, size });
  if (plan.where.length === 0) fail(collection, `no index for each "${field}"`);
  return { plan, values: asked };
}

/** The distinct words of a search, folded. */
export function searchWords(text: string): readonly string[] {
  return [...new Set(foldText(text).split(/\s+/u))].filter((word) => word !== "");
}

/** The fields of an order, each with its direction. */
export function keysOf(order: FindQuery["order"]): readonly Key[] {
  const asked = order === undefined ? [{}] : Array.isArray(order) ? order : [order as Order];
  return asked.map(({ by = "createdAt", direction = "desc" }: Order) => ({ by, direction }));
}

const NEWEST: readonly [Key] = [{ by: "createdAt", direction: "desc" }];

function checkedKeys<R extends StoredRecord>(
  collection: AnyCollection<R>,
  order: FindQuery["order"],
): readonly [Key, ...Key[]] {
  if (order === undefined) return NEWEST;
  const keys = keysOf(order);
  for (const { by, direction } of keys) {
    if (direction !== "asc" && direction !== "desc") fail(collection, `no such direction ${String(direction)}`);
    const type = typeOf(collection, by);
    if (type === "boolean" || type === "texts") fail(collection, `cannot be ordered by the ${type} "${by}"`);
  }
  const [first, ...then] = keys;
  if (!first) fail(collection, "an order names a field");
  if (new Set(keys.map(({ by }) => by)).size < keys.length) fail(collection, "an order names each field once");
  return [first, ...then];
}

function wordsOf<R extends StoredRecord>(collection: AnyCollection<R>, text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  if (!collection.search) fail(collection, "cannot be searched");
  const words = searchWords(text);
  if (words.length === 0) fail(collection, "cannot be searched for nothing");
  return words;
}

/** Without an index, a field must be published as filter or order, so that no job examines many rows by accident. */
function checkPublished<R extends StoredRecord>(
  collection: AnyCollection<R>,
  { residual, anyOf, words }: Scan,
  { where = {} }: Pick<FindQuery, "where">,
  keys: readonly Key[],
): void {
  const beyond = [...residual, ...(anyOf ? [anyOf] : [])];
  const isNewest = keys.every(({ by, direction }) => by === "createdAt" && direction === "desc");
  const isSorted = !isNewest && (residual.length > 0 || words.length > 0 || keys.length > 1);
  if (beyond.length === 0 && !isSorted) return;
  const filters = Object.entries(collection.filters).map(([name, { field = name }]) => field);
  const names = keys.map(({ by }) => by);
  if (beyond.some(([field]) => !filters.includes(field)))
    fail(collection, `no index for a filter by [${Object.keys(where)}] ordered by ${names}`);
  if (!isSorted) return;
  const orders = Object.values(collection.orders);
  const isListed = orders.length > 0 || filters.length > 0;
  const unpublished = isListed ? names.find((by) => by !== "createdAt" && !orders.includes(by)) : "createdAt";
  if (unpublished !== undefined) fail(collection, `no order by ${names} is published for this filter`);
}

function countFrom<R extends StoredRecord>(
  collection: AnyCollection<R>,
  filters: readonly AnyOf[],
  words: readonly string[],
  scan: Scan,
  isRange: boolean,
): CountPlan {
  if (isRange || words.length > 0) return { from: "rows", scan };
  if (filters.length === 0) return { from: "total" };
  return countersOf(collection, filters) ?? { from: "rows", scan };
}

/** `ordered` is a scan whose index already has the rows in order. */
function gatherFrom<R extends StoredRecord>(
  collection: AnyCollection<R>,
  filters: readonly AnyOf[],
  words: readonly string[],
  scan: Scan,
  ordered: Scan | undefined,
): Gather | undefined {
  if (words.some((word) => !isShort(word))) return { from: "search" };
  const { index } = scan;
  if (index.where.length <= (ordered?.index.where.length ?? 0)) return undefined;
  const counted = filters.find(([field, values]) => {
    return index.where.includes(field) && keptCounters(collection).includes(field) && !values.includes(null);
  });
  const known: CountPlan | undefined = counted && { from: "counters", field: counted[0], values: counted[1] };
  return { from: "index", scan, known };
}

function checkPaging<R extends StoredRecord>(
  collection: AnyCollection<R>,
  { size, page, after, range = {}, bound }: FindQuery,
  { by }: Key,
  then: readonly Key[],
): void {
  checkSize(size);
  if (page !== undefined && after !== undefined) fail(collection, "page and after exclude each other");
  if (page !== undefined) checkWhole("page", page, 0);
  if (bound !== undefined) checkWhole("bound", bound, 1);
  const { from, before, through } = range;
  if (before !== undefined && through !== undefined) fail(collection, "before and through exclude each other");
  const type = typeOf(collection, by);
  for (const each of [from, before, through]) if (each !== undefined) checkValue(by, type, each);
  for (const each of [after, after?.run?.from, after?.run?.to]) {
    if (!each) continue;
    checkValue(by, type, each.by);
    checkValue("id", "text", each.id);
    if (each.id === null) throw new TypeError("a position names an id");
  }
  const further = after?.then ?? [];
  if (further.length > 0 && further.length !== then.length)
    fail(collection, "a position names each field of its order");
  for (const [at, value] of further.entries()) checkValue("then", typeOf(collection, (then[at] as Key).by), value);
}

function boundOf({ bound = SCAN_LIMIT }: Pick<FindQuery, "bound">): number {
  return Math.min(bound, SCAN_LIMIT);
}

/** A total stops at this many examined rows, because it is worth less than a page. */
function looksOf(bound: number): number {
  return Math.min(bound, COUNT_LIMIT);
}
