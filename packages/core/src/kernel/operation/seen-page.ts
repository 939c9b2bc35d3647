import { fieldValue, type ListFilter, type StoredRecord } from "#store/collection.js";
import { foldText } from "#store/comparison.js";
import { yieldToEventLoop } from "#store/event-loop.js";
import { filtersOf, passes } from "#store/filters.js";
import { keysOf, SCAN_LIMIT, searchWords, totalBeside } from "#store/find-plan.js";
import type { Filters, FindQuery, Position } from "#store/find-query.js";
import type { Listed, Reader } from "#store/store.js";
import { asOf } from "../records/as-of.js";
import type { Collection } from "../records/collection.js";
import { isRunStart, ListPositions } from "./list-positions.js";
import { fittingTexts, type Window } from "./page.js";
import { BATCH, type DueRecord, dueRecords } from "./seen-records.js";

/** The moment of a list, and what it is read by. */
interface Moment {
  readonly db: Reader;
  readonly now: string;
}

type Asked = Pick<FindQuery, "where" | "search" | "order">;

/**
 * What a window of a list shows, where time has changed which records match its filters (`changesAt`). `undefined`: the
 * list is as it is stored. It drops stored records that no longer match and adds up to 1,000 that match now; beyond that
 * the total is not exact. Records keep the position of their stored form, because cursors depend on it. A page may be
 * short although a cursor is given. Each is served as `view` maps it.
 */
export async function listedAsSeen<R extends StoredRecord>(
  moment: Moment,
  collection: Collection<R>,
  filters: Asked,
  window: Window,
  view?: (record: R) => unknown,
): Promise<Listed | undefined> {
  const timed = timedFields(collection, filters.where);
  if (timed.size === 0) return undefined;
  const due = await allDueRecords(moment, collection, timed);
  if (due.turned.length === 0) return undefined;
  const isIn = matcher(collection, filters);
  const moves = due.turned.filter(({ stored, seen }) => isIn(stored) !== isIn(seen));
  if (moves.length === 0 && !due.next) return undefined;
  const gone = moves.filter(({ stored }) => isIn(stored));
  const come = moves.filter(({ seen }) => isIn(seen));

  const { after } = window;
  const keys = keysOf(filters.order);
  const positions = new ListPositions(keys);
  const place = ({ stored }: DueRecord<R>) => ({
    id: stored.id,
    values: keys.map((key) => fieldValue(collection, stored, key.by)),
  });
  const inOrder = (one: DueRecord<R>, other: DueRecord<R>) => positions.compare(place(one), place(other));
  const skipped = after ? 0 : window.page * window.size;
  const most = skipped + window.size + 1;
  const { stays, end } = await staying(moment, collection, filters, isIn, after, { most, gone: gone.length });
  // Records behind the end belong to a later page.
  const added = come.filter((record) => {
    const at = place(record);
    return (!after || positions.isBehind(at, after)) && !(end && positions.isBehind(at, end));
  });
  const shown = [...stays, ...added].sort(inOrder).slice(skipped, most);
  const viewed = shown.slice(0, window.size).map(({ seen }) => (view ? view(seen) : seen));
  const texts = (await Promise.all(viewed)).map((record) => JSON.stringify(record));
  const items = shown.slice(0, fittingTexts(texts));
  const last = items.at(-1);
  const next = last && shown.length > items.length ? positions.at(place(last), after, end) : end;
  const { order: _order, ...counted } = filters;
  const stored = await moment.db.count(collection, counted);
  const total = { count: stored.count - gone.length + come.length, exact: stored.exact && !due.next };
  return {
    items: `[${texts.slice(0, items.length).join(",")}]`,
    count: items.length,
    staleAt: null,
    total: totalBeside(total, window, items.length),
    ...(next ? { next } : {}),
  };
}

/** The time fields that change the values of the filters in use. */
function timedFields<R extends StoredRecord>({ filters }: Collection<R>, where: Filters = {}): ReadonlySet<string> {
  const timed = new Set<string>();
  for (const name in filters) {
    const { field = name, changesAt } = filters[name] as ListFilter;
    if (changesAt !== undefined && field in where) timed.add(changesAt);
  }
  return timed;
}

/** Records for which any of these fields has passed, each once, and whether there are more. */
async function allDueRecords<R extends StoredRecord>(
  { db, now }: Moment,
  collection: Collection<R>,
  fields: ReadonlySet<string>,
): Promise<{ readonly turned: readonly DueRecord<R>[]; readonly next: boolean }> {
  const found = await Promise.all(Array.from(fields, (by) => dueRecords(db, collection, { by }, now)));
  const turned = new Map(found.flatMap((each) => each.turned.map((one) => [one.stored.id, one] as const)));
  return { turned: [...turned.values()], next: found.some(({ next }) => next !== undefined) };
}

/**
 * The first records after `start` that match the filter as stored and as seen now, and the end of what was read. As in
 * any list, a bounded number of rows is examined, so they may be few although an end is set.
 */
async function staying<R extends StoredRecord>(
  { db, now }: Moment,
  collection: Collection<R>,
  filters: Asked,
  isIn: (record: R) => boolean,
  start: Position | undefined,
  { most, gone }: { readonly most: number; readonly gone: number },
): Promise<{ readonly stays: readonly DueRecord<R>[]; readonly end?: Position }> {
  const stays: DueRecord<R>[] = [];
  let after = start;
  for (let read = BATCH; ; read += BATCH) {
    const { rows, next } = await db.find(collection, { ...filters, size: BATCH, ...(after ? { after } : {}) });
    const found = rows.map((row) => ({ stored: row.value, seen: asOf(collection, row, now) }));
    stays.push(...found.filter(({ seen }) => isIn(seen)));
    if (!next) return { stays };
    const isBoundReached = rows.length < BATCH || isRunStart(next) || read >= Math.max(most, SCAN_LIMIT) + gone;
    if (isBoundReached || stays.length >= most) return { stays, end: next };
    after = next;
    await yieldToEventLoop();
  }
}

function matcher<R extends StoredRecord>(
  collection: Collection<R>,
  { where, search = "" }: Asked,
): (record: R) => boolean {
  const filters = filtersOf(collection, where);
  const words = searchWords(search);
  return (record) => {
    const text = foldText(collection.search?.(record) ?? "");
    return (
      words.every((word) => text.includes(word)) &&
      filters.every((filter) => passes(filter, fieldValue(collection, record, filter[0])))
    );
  };
}
