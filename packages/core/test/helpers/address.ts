import type { Store } from "@reeve/core";
import { createPostgresStore } from "@reeve/store-postgres";
import { createSqliteStore } from "@reeve/store-sqlite";

/** Where a database is: all that another process needs to open it too. */
export type Address =
  | { readonly kind: "sqlite"; readonly file: string }
  | { readonly kind: "postgres"; readonly url: string };

export function storeAt(address: Address): Store {
  // Nothing here outlives the run, so no write waits for the disk.
  if (address.kind === "sqlite") return createSqliteStore({ file: address.file, synchronous: "NORMAL" });
  return createPostgresStore({ url: address.url, poolSize: 6 });
}
