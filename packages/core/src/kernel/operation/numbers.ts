import { z } from "zod";
import type { StoredRecord } from "../../store/collection.js";
import type { Collection } from "../records/collection.js";
import type { ReadContext } from "./read-context.js";

/** The number of records per value. Values without records are left out. */
export const Numbers = z.record(z.string(), z.int().min(0));
export type Numbers = z.output<typeof Numbers>;

/** The most due time transitions that are taken into account. */
const DUE = 1_000;

/** What a reading request has counted, so that each count is asked for once. */
const known = new WeakMap<ReadContext, Map<string, Promise<Numbers>>>();

function once(ctx: ReadContext, key: string, count: () => Promise<Numbers>): Promise<Numbers> {
  if (ctx.inTransaction) return count();
  const counts = known.get(ctx) ?? new Map<string, Promise<Numbers>>();
  known.set(ctx, counts);
  const counted = counts.get(key) ?? count();
  counts.set(key, counted);
  return counted;
}

/** The number of records per value of a counted field, from stored counters. */
export function numbersOf<R extends StoredRecord>(
  ctx: ReadContext,
  collection: Collection<R>,
  field: string,
): Promise<Numbers> {
  return once(ctx, `${collection.name} ${field}`, async () => {
    const counted = await ctx.db.countBy(collection, field);
    return Object.fromEntries([...counted].filter(([, count]) => count > 0).sort());
  });
}

/** Like `numbersOf` for the field of a time transition, as readers see the records now. */
export function numbersNow<R extends StoredRecord>(ctx: ReadContext, collection: Collection<R>): Promise<Numbers> {
  return once(ctx, collection.name, () => countedNow(ctx, collection));
}

async function countedNow<R extends StoredRecord>(ctx: ReadContext, collection: Collection<R>): Promise<Numbers> {
  const { timeTransition, derive } = collection;
  if (!timeTransition || !derive) throw new Error(`collection ${collection.name} has no time transition`);
  const { field } = timeTransition.machine;
  const numbers = new Map(await ctx.db.countBy(collection, field));
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
