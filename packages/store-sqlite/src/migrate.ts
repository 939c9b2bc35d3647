import { StoreError } from "@reeve/core/store";
import {
  type Applied,
  backfillsOf,
  checksumOf,
  indexStatementsOf,
  type Migration,
  pendingMigrations,
  statementsOf,
} from "@reeve/store-sql";
import { BACKFILLS, backfillStatus } from "./backfills.js";
import { tableDialect } from "./dialect.js";
import { immediately, type SqliteDatabase } from "./driver/driver.js";

const COLUMNS = ["number", "name", "checksum", "phase", "applied_at"];
const LEDGER = `CREATE TABLE IF NOT EXISTS reeve_migrations (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  phase TEXT,
  applied_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ'))
)`;

/** The migrations applied to this database, oldest first. Throws when a table of the ledger's name is not Reeve's. */
export function appliedMigrations(db: SqliteDatabase): readonly Applied[] {
  const columns = db.pragma("table_info(reeve_migrations)") as readonly { readonly name: string }[];
  if (columns.length === 0) return [];
  if (COLUMNS.some((wanted) => !columns.some(({ name }) => name === wanted)))
    throw new StoreError("schema", "the database has a table reeve_migrations that is not Reeve's: use another file");
  return db.prepare("select number, checksum, phase from reeve_migrations order by number").all() as Applied[];
}

/** The SQL that the missing migrations are; empty when none is missing. Their backfills are left to `migrate`. */
export function migrationScript(db: SqliteDatabase, known: readonly Migration[]): string {
  const pending = pendingMigrations(known, appliedMigrations(db), tableDialect);
  if (pending.length === 0) return "";
  const statements = ["BEGIN IMMEDIATE", LEDGER, BACKFILLS, ...pending.flatMap(stepsOf), "COMMIT"];
  return statements.map((sql) => `${sql};\n`).join("");
}

function stepsOf(migration: Migration): readonly string[] {
  const { name, number, phase } = migration;
  const texts = [name, checksumOf(migration, tableDialect)].map((text) => `'${text.replaceAll("'", "''")}'`);
  const held = phase === undefined ? "NULL" : `'${phase}'`;
  return [
    ...statementsOf(migration, tableDialect),
    ...indexStatementsOf(migration, tableDialect),
    ...(migration.reshapes ?? []).map(
      ({ table }) => `INSERT INTO reeve_backfills (name) VALUES ('${number}/${table}')`,
    ),
    `INSERT INTO reeve_migrations (number, name, checksum, phase) VALUES (${number}, ${texts.join(", ")}, ${held})`,
  ];
}

/** The names of the backfills of known migrations that are not finished. */
export function unfinishedBackfills(db: SqliteDatabase, known: readonly Migration[]): readonly string[] {
  const names = new Set(backfillsOf(known).map(({ name }) => name));
  return backfillStatus(db).flatMap(({ name, finished }) => (finished || !names.has(name) ? [] : name));
}

/**
 * Runs the oldest missing migration in its own transaction, unless a backfill before it is not finished. `false` when
 * none is missing. A process that dies leaves no lock.
 */
export function migrateStep(db: SqliteDatabase, known: readonly Migration[]): boolean {
  const missing = () => pendingMigrations(known, appliedMigrations(db), tableDialect);
  // Reading first spares an up-to-date database the write lock.
  if (missing().length === 0) return false;
  return immediately(db, () => {
    const [next] = missing();
    if (!next) return false;
    if (unfinishedBackfills(db, known).length > 0) return true;
    for (const statement of [LEDGER, BACKFILLS, ...stepsOf(next)]) db.exec(statement);
    return true;
  });
}
