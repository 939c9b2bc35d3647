import type { StoredRecord } from "#store/collection.js";
import { EventLoopYielder } from "#store/event-loop.js";
import type { FindQuery } from "#store/find-query.js";
import { defineService, type Environment } from "../config/environment.js";
import type { Collection } from "../records/collection.js";
import type { Context } from "./context.js";
import { type Due, isQuiet } from "./first-dues.js";
import { systemContext } from "./system-context.js";

/** Records of one transaction: up to ten milliseconds of work, for which SQLite holds the event loop. */
const BATCH = 10;

/** Turns of the event loop, one for each batch. Several tenants that end theirs at once would share one. */
const batchTurns = defineService("kernel.batchTurns", () => new EventLoopYielder());

/**
 * Does `work` on every due record of a tenant, oldest first, one batch per transaction, and returns how many. `work`
 * must make the record no longer due. Needs an index of `where` ordered by `by`. It looks without a transaction first,
 * so that a tenant with nothing due costs one read at most.
 */
export async function forEachDue<R extends StoredRecord>(
  env: Environment,
  collection: Collection<R>,
  due: Due,
  tenantId: string,
  work: (ctx: Context, record: R) => Promise<unknown>,
): Promise<number> {
  if (isQuiet(env, tenantId, collection, due)) return 0;
  const { where = {}, by, ...range } = due;
  const query: FindQuery = { where, order: { by, direction: "asc" }, range, size: BATCH };
  let done = 0;
  while ((await env.store.forTenant(tenantId).find(collection, { ...query, size: 1 })).rows.length > 0) {
    done += await systemContext(env, tenantId, "tick").write(async (ctx) => {
      const { rows } = await ctx.db.find(collection, query);
      for (const row of rows) await work(ctx, row.value);
      return rows.length;
    });
    await env.use(batchTurns).pass();
  }
  return done;
}
