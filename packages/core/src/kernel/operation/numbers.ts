import { z } from "zod";
import type { StoredRecord } from "../../store/collection.js";
import type { Collection } from "../records/collection.js";
import type { ReadContext } from "./read-context.js";

/** The number of records per value. Values without records are left out. */
export const Numbers = z.record(z.string(), z.int().min(0));
export type Numbers = z.output<typeof Numbers>;

/** The most due time transitions that are taken into account. */
const DUE = 1_000;

const readOnce = new WeakMap<ReadContext, Map<string, Promise<unknown>>>();

/** Reads something once a request, so that parts of one answer share it. A transaction reads again what it may write. */
export function oncePerRequest<T>(ctx: ReadContext, what: string, read: () => Promise<T>): Promise<T> {
  if (ctx.inTransaction) return read();
  const known = readOnce.get(ctx) ?? new Map<string, Promise<unknown>>();
  readOnce.set(ctx, known);
  const found = (known.get(what) as Promise<T> | undefined) ?? read();
  known.set(what, found);
  return found;
}

/** The number of records per value of a counted field, from stored counters. */
export function numbersOf<R extends StoredRecord>(
  ctx: ReadContext,
  collection: Collection<R>,
  field: string,
): Promise<Numbers> {
  return oncePerRequest(ctx, `${collection.name} ${field}`, async () => {
    const counted = await ctx.db.countBy(collection, field);
    return Object.fromEntries([...counted].filter(([, count]) => count > 0).sort());
  });
}

/** Like `numbersOf` for the field of a time transition, as readers see the records now. */
export function numbersNow<R extends StoredRecord>(ctx: ReadContext, collection: Collection<R>): Promise<Numbers> {
  return oncePerRequest(ctx, `${collection.name} now`, () => countNow(ctx, collection));
}

async function countNow<R extends StoredRecord>(ctx: ReadContext, collection: Collection<R>): Promise<Numbers> {
  const { timeTransition, derive } = collection;
  if (!timeTransition || !derive) throw new Error(`collection ${collection.name} has no time transition`);
  const { field } = timeTransition.machine;
  const numbers = new Map(Object.entries(await numbersOf(ctx, collection, field)));
  const range = { through: ctx.now };
  const due = await ctx.db.find(collection, { order: { by: timeTransition.by, direction: "asc" }, range, size: DUE });
  const stateOf = (record: R) => (record as unknown as Record<string, string>)[field] as string;
  for (const { value } of due.rows) {
    const [from, to] = [stateOf(value), stateOf(derive(value, ctx.now))];
    numbers.set(from, (numbers.get(from) ?? 0) - 1);
    numbers.set(to, (numbers.get(to) ?? 0) + 1);
  }
  return Object.fromEntries([...numbers].filter(([, count]) => count > 0).sort());
}

export function sumOf(numbers: Numbers): number {
  return Object.values(numbers).reduce((sum, count) => sum + count, 0);
}
