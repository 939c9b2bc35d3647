import { StoreError } from "@reeve/core/store";
import { type Applied, checksumOf, type Migration, pendingMigrations, statementsOf } from "@reeve/store-sql";
import type Database from "better-sqlite3";
import { tableDialect } from "./dialect.js";

const COLUMNS = ["number", "name", "checksum", "applied_at"];
const LEDGER = `CREATE TABLE IF NOT EXISTS reeve_migrations (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ'))
)`;

/** The migrations applied to this database, oldest first. Throws when a table of the ledger's name is not Reeve's. */
export function appliedMigrations(db: Database.Database): readonly Applied[] {
  const columns = db.pragma("table_info(reeve_migrations)") as readonly { readonly name: string }[];
  if (columns.length === 0) return [];
  if (COLUMNS.some((wanted) => !columns.some(({ name }) => name === wanted)))
    throw new StoreError("schema", "the database has a table reeve_migrations that is not Reeve's: use another file");
  return db.prepare("select number, checksum from reeve_migrations order by number").all() as Applied[];
}

/** The SQL that `migrateDatabase` would run; empty when nothing is missing. */
export function migrationScript(db: Database.Database, known: readonly Migration[]): string {
  const pending = pendingMigrations(known, appliedMigrations(db), tableDialect);
  if (pending.length === 0) return "";
  const statements = ["BEGIN IMMEDIATE", LEDGER, ...pending.flatMap(stepsOf), "COMMIT"];
  return statements.map((sql) => `${sql};\n`).join("");
}

function stepsOf(migration: Migration): readonly string[] {
  const [name, checksum] = [migration.name, checksumOf(migration, tableDialect)].map(
    (text) => `'${text.replaceAll("'", "''")}'`,
  );
  const row = `INSERT INTO reeve_migrations (number, name, checksum) VALUES (${migration.number}, ${name}, ${checksum})`;
  return [...statementsOf(migration, tableDialect), row];
}

/**
 * Runs missing migrations, each in its own transaction. A process that dies leaves no lock, and a concurrent one finds
 * nothing left to do.
 */
export function migrateDatabase(db: Database.Database, known: readonly Migration[]): void {
  const step = db.transaction(() => {
    const [next] = pendingMigrations(known, appliedMigrations(db), tableDialect);
    if (!next) return false;
    for (const statement of [LEDGER, ...stepsOf(next)]) db.exec(statement);
    return true;
  });
  // Reading first spares an up-to-date database the write lock.
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
