import type { ControlPlaneConfig } from "@reeve/core";
import { createPostgresStore } from "@reeve/store-postgres";
import { createSqliteStore } from "@reeve/store-sqlite";
import Sqlite from "better-sqlite3";
import pg from "pg";

export type Value = string | number;
export type Row = Readonly<Record<string, unknown>>;

/** The shop's own database, which it had before Reeve. */
export interface Database {
  /** A store for Reeve on the shop's own pool or handle. */
  governanceStore(): ControlPlaneConfig["store"];
  /** Runs one statement with a `?` per value and returns its rows. */
  all(statement: string, ...values: readonly Value[]): Promise<readonly Row[]>;
  /** How this database declares a row number. */
  readonly serial: string;
  close(): Promise<void>;
}

export function openSqlite(file: string): Database {
  const database = new Sqlite(file);
  return {
    governanceStore: () => createSqliteStore({ database }),
    serial: "INTEGER PRIMARY KEY AUTOINCREMENT",
    async all(statement, ...values) {
      const prepared = database.prepare(statement);
      if (prepared.reader) return prepared.all(...values) as Row[];
      prepared.run(...values);
      return [];
    },
    async close() {
      database.close();
    },
  };
}

export function openPostgres(url: string): Database {
  const pool = new pg.Pool({ connectionString: url });
  // The pool replaces an idle connection that breaks. Without a listener the error would end the process.
  pool.on("error", () => undefined);
  return {
    governanceStore: () => createPostgresStore({ pool }),
    serial: "INTEGER PRIMARY KEY GENERATED ALWAYS AS IDENTITY",
    async all(statement, ...values) {
      let place = 0;
      const numbered = statement.replaceAll("?", () => `$${++place}`);
      return (await pool.query(numbered, [...values])).rows as Row[];
    },
    close: () => pool.end(),
  };
}
