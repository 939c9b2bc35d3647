import { fieldValue, type StoredRecord } from "#store/collection.js";
import { StoreError } from "#store/store-error.js";
import type { Environment } from "../config/environment.js";
import { storeOf } from "../config/store-access.js";
import { ReeveError } from "../http/errors.js";
import { publishedError } from "../http/store-errors.js";
import type { Collection } from "./collection.js";

/** A record that a transaction wanted to store. */
export interface Wanted {
  // biome-ignore lint/suspicious/noExplicitAny: records of different collections stand in one list
  readonly collection: Collection<any>;
  readonly record: StoredRecord;
}

/** A transaction's refusal, with the id of this tenant's record that holds the unique key. */
export async function namingHolder(
  env: Environment,
  tenantId: string,
  wanted: readonly Wanted[],
  thrown: unknown,
): Promise<unknown> {
  const key = StoreError.is(thrown) && thrown.code === "duplicate" ? thrown.detail.key : undefined;
  if (key === undefined) return thrown;
  for (const { collection, record } of wanted) {
    const isInTenant = collection.scope === "tenant" || collection.uniqueInTenant.includes(key);
    const fields = isInTenant && collection.resource ? collection.unique[key] : undefined;
    if (!fields) continue;
    const values = Object.fromEntries(fields.map((field) => [field, fieldValue(collection, record, field)]));
    // In a transaction, because it waits for a holder that is not committed yet.
    const holder = await storeOf(env).transaction(tenantId, (tx) => tx.lookup(collection, key, values));
    if (!holder || holder.id === record.id) continue;
    const { code, members } = publishedError(thrown);
    return new ReeveError(code, collection.taken?.[key] ?? takenBy(collection.resource, fields), {
      members: { ...members, existingId: holder.id },
      cause: thrown,
    });
  }
  return thrown;
}

/** That another record has the same values, in words instead of names of fields. */
function takenBy(resource: Collection["resource"], fields: readonly string[]): string {
  const words = fields.map((field) => field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
  const listed = [words.slice(0, -1).join(", "), words.at(-1)].filter(Boolean).join(" and ");
  return `There is another ${resource?.event.replaceAll("_", " ")} with the same ${listed}.`;
}
