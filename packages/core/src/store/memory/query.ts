import type { StoredRecord } from "../../kernel/collection.js";
import { type CountPlan, countLimit, type FindPlan, SEARCH_CANDIDATES } from "../query.js";
import { Row } from "../row.js";
import type { Found, Position, Total } from "../store.js";
import { compareText, compareValues } from "./compare.js";
import type { Entry } from "./layer.js";

/** A page of entries in the order of the plan, and where the next page starts. */
export function findPage(entries: readonly Entry[], plan: FindPlan): { entries: readonly Entry[]; next?: Position } {
  const compare = byPlan(plan);
  const from = plan.after;
  const ordered = matching(entries, plan)
    .filter((entry) => from === undefined || compare(entry, position(from, plan.by)) > 0)
    .sort(compare);
  const start = (plan.page ?? 0) * plan.size;
  const page = ordered.slice(start, start + plan.size);
  const last = page.at(-1);
  if (!last || ordered.length <= start + plan.size) return { entries: page };
  return { entries: page, next: { by: value(last, plan.by) as Position["by"], id: last.id } };
}

/** How many entries match: all of them when a counter would say so, else no more than the bound. */
export function countEntries(
  entries: readonly Entry[],
  plan: Pick<FindPlan, "where" | "search"> & Partial<Pick<FindPlan, "range" | "by">> & { total: CountPlan },
): Total {
  const count = matching(entries, { by: "createdAt", range: {}, ...plan }).length;
  const limit = plan.total.from === "rows" ? countLimit(plan) : Number.POSITIVE_INFINITY;
  return { count: Math.min(count, limit), exact: count <= limit };
}

/** The rows of a page with the position after it. */
export function found<R extends StoredRecord>(page: ReturnType<typeof findPage>): Found<R> {
  const rows = page.entries.map((entry) => rowOf<R>(entry));
  return page.next ? { rows, next: page.next } : { rows };
}

export function rowOf<R extends StoredRecord>(entry: Entry): Row<R> {
  return new Row<R>(entry.tenantId, entry.id, entry.version, entry.text, entry.staleAt);
}

/** The earliest moment at which one of the entries goes stale. */
export function earliest(entries: readonly Entry[]): string | null {
  const moments = entries.flatMap((entry) => entry.staleAt ?? []).sort(compareText);
  return moments[0] ?? null;
}

function matching(entries: readonly Entry[], plan: Pick<FindPlan, "where" | "search" | "range" | "by">): Entry[] {
  const { from, before, through } = plan.range;
  const inside = entries.filter((entry) => {
    if (!plan.where.every(([field, wanted]) => value(entry, field) === wanted)) return false;
    if (from === undefined && before === undefined && through === undefined) return true;
    const at = value(entry, plan.by);
    if (at === null) return false;
    return (
      (from === undefined || compareValues(at, from) >= 0) &&
      (before === undefined || compareValues(at, before) < 0) &&
      (through === undefined || compareValues(at, through) <= 0)
    );
  });
  return plan.search === undefined ? inside : searched(inside, plan.search);
}

/** Literal search, bounded as a database would be: a term too short for an index sees the newest entries only. */
function searched(entries: Entry[], term: string): Entry[] {
  const newest = byPlan({ by: "createdAt", direction: "desc" });
  const short = [...term].length < 3;
  const candidates = short ? entries.sort(newest).slice(0, SEARCH_CANDIDATES) : entries;
  return candidates
    .filter((entry) => entry.searchable.includes(term))
    .sort(newest)
    .slice(0, SEARCH_CANDIDATES);
}

type Placed = Pick<Entry, "id" | "createdAt" | "values">;

function byPlan(plan: Pick<FindPlan, "by" | "direction">): (a: Placed, b: Placed) => number {
  const sign = plan.direction === "asc" ? 1 : -1;
  return (a, b) => sign * (compareValues(value(a, plan.by), value(b, plan.by)) || compareText(a.id, b.id));
}

function position(after: Position, by: string): Placed {
  return { id: after.id, createdAt: String(after.by), values: { [by]: after.by } };
}

function value(entry: Placed, field: string) {
  return field === "createdAt" ? entry.createdAt : (entry.values[field] ?? null);
}
