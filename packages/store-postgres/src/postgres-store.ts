import type { SqlStore } from "@reeve/store-sql";
import type { Cluster } from "./migrate/cluster.js";

/** A store on PostgreSQL. */
export interface PostgresStore extends SqlStore {
  /** Where the tables lie in a Citus cluster, and their distribution. */
  readonly cluster: Cluster;
  /** Restores a dump, by a function that leaves out its entry for the schema. Rejects with `schema` where that is there already. */
  restore(schemaless: () => Promise<void>): Promise<void>;
}
