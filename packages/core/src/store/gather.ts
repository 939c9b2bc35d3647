import type { FieldValue } from "./collection.js";
import { compareText, compareValues } from "./compare.js";
import { passes } from "./filters.js";
import type { CountingPlan, CountPlan, FindPlan, Key } from "./find-plan.js";
import type { Place, Position, Run } from "./find-query.js";
import type { Scan } from "./index-scan.js";
import type { Total } from "./store.js";

/** Rows may be inserted into a run while its pages are read. It may grow to this many times its size. */
const GROWTH = 4;

/** A row without its text: the fields for filters and order. */
export interface KeyRow {
  readonly id: string;
  readonly values: Readonly<Record<string, FieldValue>>;
  /** Whether it contains every word of the search. */
  readonly hit: boolean;
}

/** The rows whose key fields are read: those of an index in its order, or those that may contain the words. */
export interface KeyQuery {
  readonly from: "index" | "search";
  readonly scan: Pick<Scan, "index" | "where" | "anyOf" | "words" | "by">;
  readonly direction: "asc" | "desc";
  readonly fields: readonly string[];
  readonly limit: number;
  readonly run?: Run;
}

/** The part of a store that gathering needs. The rest is the same for all stores. */
export interface KeySource {
  /** At most `limit` rows. `undefined` without a search index, or when more rows may contain the words. */
  keys(query: KeyQuery): Promise<readonly KeyRow[] | undefined>;
  /** The total from the counters of a plan. */
  counted(plan: CountPlan): Promise<number>;
}

/** A page sorted in this process: the ids of its rows, and the total when all rows were read. */
export interface Gathered {
  readonly ids: readonly string[];
  readonly next?: Position;
  readonly total?: Total;
}

/** The most rows of a search that are sorted in this process. A page after a position allows for rows added since. */
export function mostGathered({ after, bound }: Pick<FindPlan, "bound"> & Partial<Pick<FindPlan, "after">>): number {
  return after ? GROWTH * bound : bound;
}

/**
 * The page of a plan whose order no index has. It reads all rows if they are few, else one run in the order of the
 * first field. `undefined` when an index has the order and reading along it is better.
 */
export async function gatherPage(plan: FindPlan, source: KeySource): Promise<Gathered | undefined> {
  const rows = plan.after?.run ? undefined : await few(plan, source, [plan.by, ...plan.then.map(({ by }) => by)]);
  if (rows) {
    const { page, next } = cut(plan, rows);
    return { ids: page, total: { count: rows.length, exact: true }, ...(next ? { next } : {}) };
  }
  return plan.then.length === 0 ? undefined : nextRun(plan, source);
}

/** The number of rows a search finds, if they are few; `undefined` otherwise. */
export async function gatherCount(plan: CountingPlan, source: KeySource): Promise<Total | undefined> {
  const rows = await few({ by: "createdAt", range: {}, direction: "desc", ...plan }, source, []);
  return rows && { count: rows.length, exact: true };
}

type Few = CountingPlan & Pick<FindPlan, "by" | "range" | "direction"> & Partial<Pick<FindPlan, "after">>;

async function few(plan: Few, source: KeySource, sorted: readonly string[]): Promise<KeyRow[] | undefined> {
  const { gather, direction } = plan;
  if (!gather) return undefined;
  const most = mostGathered(plan);
  const fields = fieldsOf(plan, sorted);
  const limit = most + 1;
  if (gather.from === "index" && gather.known && (await source.counted(gather.known)) > most) return undefined;
  const { words } = plan;
  const rows = await source.keys(
    gather.from === "index"
      ? { from: "index", scan: gather.scan, direction, fields, limit }
      : {
          from: "search",
          scan: { index: { where: [] }, where: [], anyOf: undefined, words, by: "createdAt" },
          direction,
          fields,
          limit,
        },
  );
  return rows && rows.length <= most ? rows.filter((row) => matches(plan, row)) : undefined;
}

async function nextRun(plan: FindPlan, source: KeySource): Promise<Gathered> {
  const { bound, direction, after } = plan;
  const { from, to } = after?.run ?? {};
  const fields = fieldsOf(plan, [plan.by, ...plan.then.map(({ by }) => by)]);
  const run = { ...(from ? { from } : {}), ...(to ? { to } : {}) };
  const limit = to ? GROWTH * bound : bound + 1;
  const read = (await source.keys({ from: "index", scan: plan, direction, fields, limit, run })) ?? [];
  const isCut = !to && read.length > bound;
  const rows = isCut ? read.slice(0, bound) : read;
  const last = rows.at(-1);
  const end = to ?? (isCut && last ? { by: last.values[plan.by] as Place, id: last.id } : undefined);
  const hits = rows.filter((row) => matches(plan, row));
  const { page, next } = cut(plan, hits);
  const whole = !from && !end ? { total: { count: hits.length, exact: true } } : {};
  if (next) return { ids: page, ...whole, next: { ...next, run: { ...run, ...(end ? { to: end } : {}) } } };
  return { ids: page, ...whole, ...(end ? { next: { ...end, run: { from: end } } } : {}) };
}

function fieldsOf({ filters, by }: Pick<FindPlan, "filters" | "by">, sorted: readonly string[]): readonly string[] {
  return [...new Set([by, ...sorted, ...filters.map(([field]) => field)])];
}

function matches({ filters, range, by }: Pick<FindPlan, "filters" | "range" | "by">, { values, hit }: KeyRow): boolean {
  return hit && filters.every((filter) => passes(filter, values[filter[0]] ?? null)) && isInside(range, values[by]);
}

/** Whether a value lies in a range. `null` lies only in a range without bounds. */
export function isInside({ from, before, through }: FindPlan["range"], value: FieldValue = null): boolean {
  if (from === undefined && before === undefined && through === undefined) return true;
  if (value === null) return false;
  return (
    (from === undefined || compareValues(value, from) >= 0) &&
    (before === undefined || compareValues(value, before) < 0) &&
    (through === undefined || compareValues(value, through) <= 0)
  );
}

/** Compares rows by these fields, then by id in the direction of the first. */
export function byKeys(
  keys: readonly Key[],
): (a: { readonly values: readonly FieldValue[]; readonly id: string }, b: typeof a) => number {
  const signs = keys.map(({ direction }) => (direction === "asc" ? 1 : -1));
  return (a, b) => {
    for (let at = 0; at < signs.length; at++) {
      const order = compareValues(a.values[at] ?? null, b.values[at] ?? null);
      if (order !== 0) return (signs[at] as number) * order;
    }
    return (signs[0] as number) * compareText(a.id, b.id);
  };
}

/** The rows of a page out of all of them, and the position after it when more follow. */
function cut(plan: FindPlan, rows: readonly KeyRow[]): { page: readonly string[]; next?: Position } {
  const keys = [{ by: plan.by, direction: plan.direction }, ...plan.then];
  const compare = byKeys(keys);
  const { after, size } = plan;
  // A position without further values is the start of a run.
  const isRow = after && (keys.length === 1 || after.then);
  const reached = isRow ? { id: after.id, values: [after.by, ...(after.then ?? [])] } : undefined;
  const sorted = rows
    .map(({ id, values }) => ({ id, values: keys.map(({ by }) => (values[by] ?? null) as Place) }))
    .filter((row) => !reached || compare(row, reached) > 0)
    .sort(compare);
  const start = (plan.page ?? 0) * size;
  const page = sorted.slice(start, start + size);
  const last = page.at(-1);
  const ids = page.map(({ id }) => id);
  if (!last || sorted.length <= start + size) return { page: ids };
  const [by = null, ...then] = last.values;
  return { page: ids, next: { by, id: last.id, ...(then.length > 0 ? { then } : {}) } };
}
