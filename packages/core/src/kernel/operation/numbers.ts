import { z } from "#schema/z.js";
import type { StoredRecord } from "#store/collection.js";
import type { Collection } from "../records/collection.js";
import { type Counts, corrected, timesOf, turnedBy } from "./counts.js";
import type { ReadContext } from "./read-context.js";

/** The number of records per value. Values without records are left out. */
export const Numbers = z.record(z.string(), z.int().min(0));
export type Numbers = z.output<typeof Numbers>;

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

/** The number of records per value of a counted field, as readers see the records now. */
export function numbersOf<R extends StoredRecord>(
  ctx: ReadContext,
  collection: Collection<R>,
  field: string,
): Promise<Numbers> {
  return oncePerRequest(ctx, `${collection.name} ${field}`, async () =>
    Object.fromEntries([...(await countsNow(ctx, collection, field))].sort()),
  );
}

/** Like `numbersOf`, for fields whose values may be any text. */
export function countsNow<R extends StoredRecord>(
  ctx: ReadContext,
  collection: Collection<R>,
  field: string,
): Promise<Counts> {
  const times = timesOf(collection, field);
  const read = () => turnedBy(ctx.db, collection, times, ctx.now);
  const turned = oncePerRequest(ctx, `${collection.name} by ${times}`, read);
  return corrected(ctx.db, collection, field, turned);
}

export function sumOf(numbers: Numbers): number {
  return Object.values(numbers).reduce((sum, count) => sum + count, 0);
}
