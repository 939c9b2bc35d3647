import { distributeDatabase, distributionScript, readDistribution } from "./distribute.js";
import type { Placed } from "./distribution.js";
import type { MigrateOptions } from "./owner.js";

/** The tables of a store in a Citus cluster. All of it rejects with `schema` where the database has no Citus. */
export interface Cluster {
  /** Where the rows of each table belong, and whether they are there. */
  tables(): Promise<readonly Placed[]>;
  /**
   * Distributes the tables over the nodes, each in a transaction of its own, so that it may be broken off and run again.
   * No other store may use the database meanwhile. `told` hears of each table.
   */
  distribute(told?: (placed: Placed) => void): Promise<void>;
  /** The SQL that `distribute` would run; empty when nothing is left to do. */
  sql(): Promise<string>;
}

/** The cluster of a store, whose `run` keeps it open meanwhile. */
export function clusterOf(options: () => MigrateOptions, run: <T>(work: () => Promise<T>) => Promise<T>): Cluster {
  return {
    tables: () => run(() => readDistribution(options())),
    distribute: (told = () => undefined) => run(() => distributeDatabase(options(), told)),
    sql: () => run(() => distributionScript(options())),
  };
}
