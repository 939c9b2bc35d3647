import { PLATFORM_TENANT } from "../families/platform/index.js";
import { dataKeys } from "../kernel/operation/vault/data-keys.js";
import type { Store } from "../store/store.js";
import { StoreError } from "../store/store-error.js";

/** How the SQL of missing migrations makes the table of data keys. */
const MAKES_KEYS = /create table[^(]*\bdata_keys\b/i;

/**
 * Whether a control plane has been ready on a store: what is kept there is sealed, and only the master key of then opens
 * it. It changes nothing. Rejects when the store does not answer.
 */
export async function isSealed(store: Store): Promise<boolean> {
  try {
    const { migration } = await store.status();
    if (migration.applied === 0) return false;
    const platform = store.forTenant(PLATFORM_TENANT);
    return (await platform.lookup(dataKeys, "active", { use: "service", slot: "active" })) !== undefined;
  } catch (error) {
    if (!(StoreError.is(error) && error.code === "schema")) throw error;
    // A role may be missing beside a whole schema, so what is missing decides.
    return !MAKES_KEYS.test((await store.migrationSql?.()) ?? "");
  }
}
