// What tests of the workspace need. It is not published.
import type { PostgresStoreOptions } from "../connect/options.js";
import type { TakeConnections } from "../connect/pool.js";
import type { PostgresStore } from "../postgres-store.js";
import { OpenPostgresStore } from "../store.js";

export type { Connections } from "../connect/own-pool.js";

/** A store on the connections that `take` gives, which may outlive it. `open` opens those of a store alone. */
export function createStoreOnConnections(options: PostgresStoreOptions, take: TakeConnections): PostgresStore {
  return new OpenPostgresStore(options, take);
}
