import type { Rows } from "../schema/dialect.js";
import type { Target } from "../schema/filled-row.js";
import type { Encode } from "../schema/table.js";
import type { Reshape } from "./reshape-spec.js";

/** Runs a statement with `?` for each value. */
export type Run = (sql: string, values?: readonly unknown[]) => Promise<Rows>;

/** How backfills reach a database. */
export interface BackfillDatabase {
  /** Runs work in one transaction. */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** The quoted name of a table. */
  table(name: string): string;
  readonly encode: Encode;
  /** The clock of the database in ms, as SQL. */
  readonly clock: string;
  /** Follows the rows that are read for a chunk. */
  readonly locking: string;
  /** Makes the rest of a transaction that of one tenant, and keeps others from writing in it. */
  lock(run: Run, tenantId: string): Promise<void>;
  /**
   * Gets a table ready before its first chunk. `renew` renews the lease in a transaction, and throws once it is lost. May
   * run more than once, as `end` may, which ends that after the last chunk.
   */
  begin(backfill: Backfill, renew: (run: Run) => Promise<void>): Promise<void>;
  end(backfill: Backfill): Promise<void>;
  /** Writes columns of rows that still have their version. */
  write(run: Run, table: string, columns: readonly string[], rows: readonly FilledRow[]): Promise<void>;
}

export interface FilledRow {
  readonly tenantId: string;
  readonly id: string;
  readonly version: number;
  readonly values: readonly unknown[];
}

/** The backfill of one table by one migration. */
export interface Backfill {
  readonly name: string;
  readonly reshape: Reshape;
  readonly target: Target;
}
