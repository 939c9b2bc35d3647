import type Database from "better-sqlite3";
import type { SqliteDriver } from "./driver.js";

/** Pages per step of a copy. Others can write to the source between two steps. */
const PAGES = 1_000;

/** The driver of one copy of better-sqlite3. Each copy has an SQLite of its own. */
export function betterSqlite(Handle: typeof Database): SqliteDriver {
  return {
    name: "better-sqlite3",
    open: (file, options) => new Handle(file, options),
    async copy(from, to, onProgress) {
      await (from as Database.Database).backup(to, {
        progress({ totalPages, remainingPages }) {
          onProgress(totalPages === 0 ? 1 : 1 - remainingPages / totalPages);
          return PAGES;
        },
      });
    },
  };
}
