import type { StoredRecord } from "#store/collection.js";
import type { Collection } from "../records/collection.js";
import type { Context } from "./context.js";
import { isQuiet } from "./first-dues.js";
import type { OutsideContext } from "./outside-context.js";

/**
 * Takes at most `size` records of a tenant that are due by a time field, the earliest first. `take` reserves one for this
 * process: it must move the time on, by more than the work may take. It looks without a transaction first, so that a
 * tenant with nothing due costs one read at most.
 */
export async function leaseDue<R extends StoredRecord, Taken>(
  ctx: OutsideContext,
  collection: Collection<R>,
  by: string,
  size: number,
  take: (ctx: Context, record: R) => Promise<Taken>,
): Promise<Taken[]> {
  const range = { through: ctx.now };
  if (isQuiet(ctx.env, ctx.db.tenantId, collection, { by, ...range })) return [];
  const due = { order: { by, direction: "asc" }, range } as const;
  if ((await ctx.db.find(collection, { ...due, size: 1 })).rows.length === 0) return [];
  return ctx.write(async (inner) => {
    const taken: Taken[] = [];
    for (const { value } of (await inner.db.find(collection, { ...due, size })).rows)
      taken.push(await take(inner, value));
    return taken;
  });
}
