import type { Logger } from "@reeve/core/store";
import type { Migration } from "@reeve/store-sql";
import type { HostPool } from "./connection.js";

/** How a store on PostgreSQL reaches its database, and how long it waits. */
export interface PostgresStoreOptions {
  /** Connection URL of requests. Its login must be able to take the role `runtimeRole`. */
  readonly url?: string;
  /**
   * A `pg.Pool` of the host, in place of `url`. Connections are borrowed, used as `runtimeRole` and returned with their
   * own settings. The store never closes it.
   */
  readonly pool?: HostPool;
  /**
   * The schema of all tables (default `reeve`): at most 48 letters, digits, `_` and `-`. Stores with different schemas
   * can share a database.
   */
  readonly schema?: string;
  /** Connection URL of the tables' owner, for `migrate`; `url` or the pool's when absent. */
  readonly migrationUrl?: string;
  /** Connection URL of the SQL console's login, which may only read the console's views; no console when absent. */
  readonly consoleUrl?: string;
  /**
   * The role of requests (default `reeve_app`, after the schema). `migrate` creates it. It owns nothing and is bound by
   * row-level security.
   */
  readonly runtimeRole?: string;
  /** Maximum number of connections (default 10). A borrowed pool has its own limit. */
  readonly poolSize?: number;
  /** `transaction` behind a transaction pooler: no named statements, no start-up options; the login must be `runtimeRole`. */
  readonly pooler?: "none" | "transaction";
  /**
   * Connection URL for hearing what other processes change; `url` or the pool's when absent. Behind a transaction
   * pooler it must reach the server itself. Without it such changes take effect within five seconds.
   */
  readonly directUrl?: string;
  /**
   * Connection URL of a read replica that follows the server by streaming replication, for lists and exports of
   * requests. The server that takes writes answers for it where it cannot, or is too far behind.
   */
  readonly replicaUrl?: string;
  /**
   * How old what a replica answers may be, in ms (default 5,000, at least 100). It never lacks
   * writes of this process.
   */
  readonly maxReplicaStalenessMs?: number;
  /** Maximum wait for a connection or another transaction's lock, in ms (default 5,000). */
  readonly connectionTimeoutMs?: number;
  /** Maximum duration of a statement, in ms (default 30,000). */
  readonly statementTimeoutMs?: number;
  /**
   * Maximum wait for an answer of the server, in ms, after which the connection is dropped (default: the two above
   * together). It ends what a silent network or a frozen server would hold up.
   */
  readonly answerTimeoutMs?: number;
  /**
   * Maximum time that a transaction may do nothing, in ms, after which the server ends it (default 10,000). It ends what
   * a frozen process would hold up.
   */
  readonly idleTransactionTimeoutMs?: number;
  /** Maximum wait of `migrate` for another process that migrates, or for any lock, in ms (default 60,000). */
  readonly migrationWaitMs?: number;
  /** Migrations in addition to Reeve's own. */
  readonly migrations?: readonly Migration[];
  readonly logger?: Logger;
}
