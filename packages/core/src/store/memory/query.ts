import type { FieldValue, StoredRecord } from "../collection.js";
import { compareText } from "../compare.js";
import { COMBINATION_LIMIT } from "../counters.js";
import { passes } from "../filters.js";
import { type CountingPlan, countLimit, type FindPlan, isShort } from "../find-plan.js";
import type { Place, Position } from "../find-query.js";
import { byKeys, gatherCount, gatherPage, isInside, type KeyQuery, type KeyRow, type KeySource } from "../gather.js";
import { isBounded, type Scan } from "../index-scan.js";
import { Row } from "../row.js";
import type { Found, Total } from "../store.js";
import type { Entry } from "./layer.js";

/** A page of entries, the position after it, and the total when finding the page gave it. */
export interface EntryPage {
  readonly entries: readonly Entry[];
  readonly next?: Position;
  readonly total?: Total;
}

/** A page of entries in the order of the plan. */
export async function findPage(entries: readonly Entry[], plan: FindPlan): Promise<EntryPage> {
  const isByOne = plan.then.length === 0;
  const gathered = plan.gather || !isByOne ? await gatherPage(plan, sourceOf(entries)) : undefined;
  if (!gathered) return orderedPage(entries, plan);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return { ...gathered, entries: gathered.ids.flatMap((id) => byId.get(id) ?? []) };
}

/** A page in the order of the plan's index. It examines at most `bound` entries. */
export function orderedPage(entries: readonly Entry[], plan: FindPlan): EntryPage {
  const { bound, size, by, direction } = plan;
  const place = (entry: Entry) => ({ values: [value(entry, by)], id: entry.id });
  const compare = byKeys([{ by, direction }]);
  const after = plan.after && { values: [plan.after.by], id: plan.after.id };
  const sought = entries
    .filter((entry) => isSought(entry, plan) && (!after || compare(place(entry), after) > 0))
    .sort((a, b) => compare(place(a), place(b)));
  const looked = isBounded(plan) ? sought.slice(0, bound) : sought;
  const hits = looked.filter((entry) => isHit(entry, plan));
  const start = (plan.page ?? 0) * size;
  const page = hits.slice(start, start + size);
  const more = hits.length > start + size;
  const last = more ? page.at(-1) : sought.length > looked.length ? looked.at(-1) : undefined;
  return last ? { entries: page, next: { by: value(last, by) as Place, id: last.id } } : { entries: page };
}

/** The first time in the field that the plan orders by. */
export function firstValue(entries: readonly Entry[], plan: FindPlan): string | undefined {
  let first: string | undefined;
  for (const entry of entries) {
    if (!isSought(entry, plan)) continue;
    const time = value(entry, plan.by) as string;
    if (first === undefined || time < first) first = time;
  }
  return first;
}

/** The number of matching entries: all where SQL stores have counters, else up to the bounds. */
export async function countEntries(entries: readonly Entry[], plan: CountingPlan): Promise<Total> {
  const source = sourceOf(entries);
  const { total, looks } = plan;
  if (total.from === "combinations") {
    const combinations = new Set(entries.map((entry) => value(entry, total.field)));
    return { count: await source.counted(total), exact: combinations.size <= COMBINATION_LIMIT };
  }
  if (total.from !== "rows") return { count: await source.counted(total), exact: true };
  const gathered = await gatherCount(plan, source);
  if (gathered) return gathered;
  const sought = entries.filter((entry) => isSought(entry, total.scan));
  const looked = isBounded(total.scan) ? sought.slice(0, looks) : sought;
  const count = looked.filter((entry) => isHit(entry, total.scan)).length;
  const limit = countLimit(total.scan);
  return { count: Math.min(count, limit), exact: count <= limit && looked.length === sought.length };
}

/** The rows of a page with the position after it. */
export function found<R extends StoredRecord>({ entries, next }: EntryPage): Found<R> {
  const rows = entries.map((entry) => rowOf<R>(entry));
  return next ? { rows, next } : { rows };
}

const rows = new WeakMap<Entry, Row<StoredRecord>>();

/** The row of an entry, the same for each reader. */
export function rowOf<R extends StoredRecord>(entry: Entry): Row<R> {
  let row = rows.get(entry);
  if (!row) {
    row = Row.shared(entry.tenantId, entry.id, entry.version, entry.text, entry.staleAt);
    rows.set(entry, row);
  }
  return row as Row<R>;
}

/** The earliest moment at which one of the entries goes stale. */
export function earliest(entries: readonly Entry[]): string | null {
  const moments = entries.flatMap((entry) => entry.staleAt ?? []).sort(compareText);
  return moments[0] ?? null;
}

function sourceOf(entries: readonly Entry[]): KeySource {
  return {
    keys: async (query) => (query.from === "index" ? indexKeys(entries, query) : searchKeys(entries, query)),
    async counted(plan) {
      if (plan.from === "total") return entries.length;
      if (plan.from === "rows") throw new TypeError("no counter holds this");
      if (plan.from === "counters")
        return entries.filter((entry) => plan.values.includes(value(entry, plan.field))).length;
      const texts = entries.map((entry) => String(value(entry, plan.field)));
      return texts.filter((text) => plan.marks.every((marks) => marks.some((mark) => text.includes(mark)))).length;
    },
  };
}

function indexKeys(entries: readonly Entry[], { scan, direction, run, limit, fields }: KeyQuery): KeyRow[] {
  const compare = byKeys([{ by: scan.by, direction }]);
  const place = (entry: Entry) => ({ values: [value(entry, scan.by)], id: entry.id });
  const side = (entry: Entry, end: Position) => compare(place(entry), { values: [end.by], id: end.id });
  return entries
    .filter((entry) => isHeld(entry, scan))
    .filter((entry) => (!run?.from || side(entry, run.from) > 0) && (!run?.to || side(entry, run.to) <= 0))
    .sort((a, b) => compare(place(a), place(b)))
    .slice(0, limit)
    .map((entry) => keyOf(entry, fields, scan.words));
}

function searchKeys(entries: readonly Entry[], { scan, limit, fields }: KeyQuery): KeyRow[] | undefined {
  const long = scan.words.filter((word) => !isShort(word));
  const hits = entries.filter((entry) => long.every((word) => entry.searchable.includes(word)));
  return hits.length < limit ? hits.map((entry) => keyOf(entry, fields, scan.words)) : undefined;
}

function keyOf(entry: Entry, fields: readonly string[], words: readonly string[]): KeyRow {
  const values = Object.fromEntries(fields.map((field) => [field, value(entry, field)]));
  return { id: entry.id, values, hit: holds(entry, words) };
}

/** Whether the index finds the entry. */
function isSought(entry: Entry, scan: Scan): boolean {
  return isHeld(entry, scan) && isInside(scan.range, value(entry, scan.by));
}

function isHeld(entry: Entry, { where, anyOf }: Pick<Scan, "where" | "anyOf">): boolean {
  return (
    where.every(([field, wanted]) => value(entry, field) === wanted) &&
    (!anyOf || anyOf[1].includes(value(entry, anyOf[0])))
  );
}

function isHit(entry: Entry, { residual, words }: Scan): boolean {
  return residual.every((filter) => passes(filter, value(entry, filter[0]))) && holds(entry, words);
}

function holds(entry: Entry, words: readonly string[]): boolean {
  return words.every((word) => entry.searchable.includes(word));
}

function value(entry: Entry, field: string): FieldValue {
  return field === "createdAt" ? entry.createdAt : (entry.values[field] ?? null);
}
