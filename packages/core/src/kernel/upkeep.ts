import type { FindQuery, Where } from "../store/store.js";
import type { Collection, StoredRecord } from "./collection.js";
import { Context } from "./context.js";
import type { Environment } from "./environment.js";
import { settle } from "./outbox.js";
import { systemPrincipal } from "./principal.js";

const BATCH = 200;

/** Which records are due: those whose `by` lies before a moment, or at it (`through`). An index of `where` must be ordered by it. */
export type Due = { readonly where?: Where; readonly by: string } & (
  | { readonly before: string }
  | { readonly through: string }
);

/**
 * Does `work` on every record of a tenant that is due, a batch per transaction, oldest first. `work` must make the record
 * no longer due. Asks without a transaction first, so that a tenant with nothing due costs one read. Returns how many.
 */
export async function forEachDue<R extends StoredRecord>(
  env: Environment,
  collection: Collection<R>,
  { where = {}, by, ...range }: Due,
  tenantId: string,
  work: (ctx: Context, record: R) => Promise<unknown>,
): Promise<number> {
  const query: FindQuery = { where, order: { by, direction: "asc" }, range, size: BATCH };
  let done = 0;
  const written = new Set([collection.name]);
  while ((await env.store.forTenant(tenantId).find(collection, { ...query, size: 1 })).rows.length > 0) {
    const nowMs = env.clock.now();
    const request = { requestId: `tick_${env.ids.next(nowMs)}`, nowMs, mountPath: "" };
    done += await env.store.transaction(tenantId, async (tx) => {
      const ctx = new Context(env, request, systemPrincipal(tenantId), tx);
      const { rows } = await tx.find(collection, query);
      for (const row of rows) await work(ctx, row.value);
      for (const name of ctx.written) written.add(name);
      return rows.length;
    });
    settle(env, [{ tenantId, collections: written }]);
  }
  return done;
}
