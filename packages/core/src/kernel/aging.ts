import type { StoredRecord } from "../store/collection.js";
import type { Collection } from "./collection.js";
import type { Environment } from "./environment.js";
import { forEachDue } from "./upkeep.js";

/**
 * Stores the due time transitions of a collection with their events. Readers have seen them already. Returns how many.
 */
export async function matureDue<R extends StoredRecord>(
  env: Environment,
  collection: Collection<R>,
  tenantId: string,
  now: string,
): Promise<number> {
  if (!collection.ages) return 0;
  const due = { by: collection.ages.by, through: now };
  return forEachDue(env, collection, due, tenantId, (ctx, record) => ctx.mature(collection, record));
}
