import { timestamp } from "../ports/clock.js";
import type { Aging, Collection } from "./collection.js";
import { Context, type Stamped } from "./context.js";
import type { Environment } from "./environment.js";
import { settle } from "./outbox.js";
import { systemPrincipal } from "./principal.js";

const BATCH = 100;

/** Stores what time has done to the records of a collection, with the events; readers have seen it before. Returns how many. */
export async function matureDue<R extends Stamped>(
  env: Environment,
  collection: Collection<R>,
  { by }: Aging,
  tenantId: string,
  now: string,
): Promise<number> {
  let matured = 0;
  let batch = 0;
  do {
    batch = await env.store.transaction(tenantId, async (tx) => {
      const request = { requestId: `tick_${now}`, nowMs: Date.parse(now), mountPath: "" };
      const ctx = new Context(env, request, systemPrincipal(tenantId), tx);
      const range = { before: timestamp(Date.parse(now) + 1) };
      const due = await tx.find(collection, { order: { by, direction: "asc" }, range, size: BATCH });
      for (const row of due.rows) await ctx.mature(collection, row.value);
      return due.rows.length;
    });
    matured += batch;
  } while (batch === BATCH);
  if (matured > 0) settle(env, tenantId, new Set([collection.name]));
  return matured;
}
