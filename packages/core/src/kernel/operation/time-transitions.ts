import type { StoredRecord } from "#store/collection.js";
import type { Environment } from "../config/environment.js";
import type { Collection } from "../records/collection.js";
import { forEachDue } from "./due-records.js";

/** Stores the due time transitions of a collection with their events. Readers see them already. Returns how many. */
export async function applyDueTimeTransitions<R extends StoredRecord>(
  env: Environment,
  collection: Collection<R>,
  tenantId: string,
  now: string,
): Promise<number> {
  if (!collection.timeTransition) return 0;
  const due = { by: collection.timeTransition.by, through: now };
  return forEachDue(env, collection, due, tenantId, (ctx, record) => ctx.applyTimeTransition(collection, record));
}
