import { z } from "zod";
import type { StoredRecord } from "../../store/collection.js";
import type { Collection } from "../records/collection.js";
import type { ReadContext } from "./read-context.js";

/** How many records hold each value; values that none holds are left out. */
export const Numbers = z.record(z.string(), z.int().min(0));
export type Numbers = z.output<typeof Numbers>;

/** How many records with a due time transition are taken into account. */
const DUE = 1_000;

/** How many records hold each value of a counted field, from counters. */
export async function numbersOf<R extends StoredRecord>(
  ctx: ReadContext,
  collection: Collection<R>,
  field: string,
): Promise<Numbers> {
  const counted = await ctx.db.countBy(collection, field);
  return Object.fromEntries([...counted].filter(([, count]) => count > 0).sort());
}

/** As `numbersOf` for the field that time moves, as readers see the records at this moment. */
export async function numbersNow<R extends StoredRecord>(
  ctx: ReadContext,
  collection: Collection<R>,
): Promise<Numbers> {
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
