import type { Reader } from "../store/store.js";
import type { Collection, StoredRecord } from "./collection.js";
import { ReeveError } from "./errors.js";
import type { Capability } from "./operation.js";

/** What a tenant may have only so many of: the capability it belongs to, and what is counted. A collection enforces each. */
export const LIMITS = {
  assets: { capability: "ai_registry", description: "AI assets in the registry" },
  users: { capability: "identity_foundation", description: "Users, whatever their status" },
} as const satisfies Record<string, { readonly capability: Capability; readonly description: string }>;

export type LimitKey = keyof typeof LIMITS;

/**
 * 403 `limit_exceeded` when the tenant has as many records as it may. Ask inside the transaction of the create: transactions of
 * a tenant do not interleave and totals are kept with the records, so two creates cannot share the last place.
 */
export async function requireRoom<R extends StoredRecord>(
  db: Reader,
  collection: Collection<R>,
  allowed: number | null,
): Promise<void> {
  if (allowed === null) return;
  const { count } = await db.count(collection);
  if (count < allowed) return;
  throw new ReeveError("limit_exceeded", `The limit "${collection.limit}" of ${allowed} is reached.`, {
    members: { limit: collection.limit, allowed },
  });
}
