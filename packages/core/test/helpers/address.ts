import type { Store } from "@reeve/core";
import { createPostgresStore } from "@reeve/store-postgres";
import { createSqliteStore } from "@reeve/store-sqlite";

/** The address of a database, by which another process can open it too. */
export type Address =
  | { readonly kind: "sqlite"; readonly file: string }
  | { readonly kind: "postgres"; readonly url: string };

export function storeAt(address: Address): Store {
  // The data is temporary, so writes need not wait for the disk.
  if (address.kind === "sqlite") return createSqliteStore({ file: address.file, synchronous: "NORMAL" });
  return createPostgresStore({ url: address.url, poolSize: 6 });
}
