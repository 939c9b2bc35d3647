import { StoreError } from "@reeve/core/store";
import { type Applied, checksumOf, type Migration, pendingMigrations, statementsOf } from "@reeve/store-sql";
import type Database from "better-sqlite3";
import { tableDialect } from "./dialect.js";

const TABLE = `CREATE TABLE IF NOT EXISTS reeve_migrations (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ'))
)`;

/** What was run on this database, oldest first. */
export function appliedMigrations(db: Database.Database): readonly Applied[] {
  const known = db.prepare("select 1 from sqlite_master where name = 'reeve_migrations'").get();
  return known ? (db.prepare("select number, checksum from reeve_migrations order by number").all() as Applied[]) : [];
}

/**
 * Runs what is missing, each migration in a transaction of its own: a process that dies leaves no lock, and one that was
 * started at the same time finds nothing left to do.
 */
export function migrateDatabase(db: Database.Database, known: readonly Migration[]): void {
  const step = db.transaction(() => {
    db.exec(TABLE);
    const [next] = pendingMigrations(known, appliedMigrations(db), tableDialect);
    if (!next) return false;
    for (const statement of statementsOf(next, tableDialect)) db.exec(statement);
    const values = [next.number, next.name, checksumOf(next, tableDialect)];
    db.prepare("insert into reeve_migrations (number, name, checksum) values (?, ?, ?)").run(values);
    return true;
  });
  // Looking first spares a database that is up to date the write lock.
  if (
    appliedMigrations(db).length === known.length &&
    pendingMigrations(known, appliedMigrations(db), tableDialect).length === 0
  ) {
    return;
  }
  for (let left = known.length; step.immediate(); left--) {
    if (left === 0) throw new StoreError("schema", "migrations do not come to an end");
  }
}
