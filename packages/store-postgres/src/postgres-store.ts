import type { SqlStore } from "@reeve/store-sql";
import type { Cluster } from "./migrate/cluster.js";

/** A store on PostgreSQL. */
export interface PostgresStore extends SqlStore {
  /** Where the tables lie in a Citus cluster, and their distribution. */
  readonly cluster: Cluster;
  /**
   * Dumps a moment of the database, by a function that gets the name of its snapshot. Resolves to the rows that each
   * table has at that moment.
   */
  dump(dump: (snapshot: string) => Promise<void>): Promise<ReadonlyMap<string, number>>;
  /** Restores a dump, by a function that leaves out its entry for the schema. Rejects with `schema` where that is there already. */
  restore(schemaless: () => Promise<void>): Promise<void>;
}
