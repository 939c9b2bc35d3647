import type { SqliteDatabase } from "./driver/driver.js";

/** A table that is there while the mark is, because it belongs to no migration. */
const MARK = "reeve_restored";

/** Marks a database as restored from a backup, or takes the mark away. */
export function markRestored(db: SqliteDatabase, restored: boolean): void {
  db.exec(restored ? `CREATE TABLE IF NOT EXISTS ${MARK} (mark INTEGER)` : `DROP TABLE IF EXISTS ${MARK}`);
}

/** Whether a database has the mark. */
export function isRestored(db: SqliteDatabase): boolean {
  return db.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(MARK) !== undefined;
}
