import type { StoredRecord } from "#store/collection.js";
import type { Reader } from "#store/store.js";
import { ReeveError } from "../http/errors.js";
import type { Collection } from "./collection.js";

/**
 * 403 `limit_exceeded` when the tenant's limit has no room for `wanted` more records. Call it inside the transaction of
 * the create. Transactions of a tenant never interleave, so two creates cannot both take the last place.
 */
export async function requireRoom<R extends StoredRecord>(
  db: Reader,
  collection: Collection<R>,
  allowed: number | null,
  wanted = 1,
): Promise<void> {
  if (allowed === null) return;
  const { count } = await db.count(collection);
  if (count + wanted <= allowed) return;
  throw new ReeveError("limit_exceeded", `The limit "${collection.limit}" of ${allowed} is reached.`, {
    members: { limit: collection.limit, allowed },
  });
}
