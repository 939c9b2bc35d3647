import type { Store } from "@reeve/core";
import { createPostgresStore } from "@reeve/store-postgres";
import { createSqliteStore, type Migration } from "@reeve/store-sqlite";

/** The address of a database, by which another process can open it too. */
export type Address =
  | { readonly kind: "sqlite"; readonly file: string }
  | { readonly kind: "postgres"; readonly url: string };

/** The coordinator's URL of a Citus cluster, which takes the place of PostgreSQL for stores under test when given. */
export const clusterUrl = process.env.TEST_CITUS_URL ?? "";
/** A write takes a dozen round trips in a cluster, and of twenty at once the last waits for all others. */
const PATIENT = clusterUrl === "" ? {} : { connectionTimeoutMs: 60_000, statementTimeoutMs: 60_000 };

export function storeAt(address: Address, migrations: readonly Migration[] = []): Store {
  // The data is temporary, so writes need not wait for the disk.
  if (address.kind === "sqlite") return createSqliteStore({ file: address.file, synchronous: "NORMAL", migrations });
  return createPostgresStore({ url: address.url, poolSize: 6, migrations, ...PATIENT });
}
