import type Database from "better-sqlite3";
import { betterSqlite } from "./better-sqlite3.js";
import { anyDriver, driverOf } from "./choose.js";
import type { DriverName, SqliteDriver } from "./driver.js";

/** The part of a host's handle that a store uses: of better-sqlite3, `DatabaseSync` of Node or `Database` of Bun. */
export interface HostDatabase {
  prepare(sql: string): { all(): unknown[] };
}

/** A file, and the driver that opens it. */
export interface Opening {
  readonly file: string;
  readonly driver: SqliteDriver;
}

/**
 * The file of a store and its driver. A transaction stays open while its work awaits, so the host's handle cannot be
 * shared; the store opens its own connections to the file. It opens them by the library of the handle: where a process
 * has a file open by two copies of SQLite, a connection that one of them closes ends the locks that the other holds.
 * Throws a `TypeError` without a file.
 */
export function openingOf(options: {
  readonly file?: string;
  readonly database?: HostDatabase;
  readonly driver?: DriverName;
}): Opening {
  const { file, database, driver } = options;
  if (file !== undefined && database !== undefined)
    throw new TypeError("file and database: give the store one of them");
  if (database !== undefined) {
    if (driver !== undefined) throw new TypeError("driver: it is that of `database`; leave it out");
    return { driver: libraryOf(database), file: fileOf(database) };
  }
  if (typeof file === "string" && file !== "" && !file.startsWith(":") && !file.startsWith("file:"))
    return { driver: driver === undefined ? anyDriver() : driverOf(driver), file };
  throw new TypeError('file: the path of a file such as "./data/reeve.sqlite" is needed, or a `database`');
}

function libraryOf(database: HostDatabase): SqliteDriver {
  if (typeof database?.prepare === "function") {
    const library = database.constructor;
    if ("pragma" in database) return betterSqlite(library as typeof Database);
    if (library.name === "DatabaseSync") return driverOf("node:sqlite");
    if (process.versions.bun) return driverOf("bun:sqlite");
  }
  throw new TypeError("database: a handle of better-sqlite3, node:sqlite or bun:sqlite is needed");
}

function fileOf(database: HostDatabase): string {
  const main = attached(database).find(({ name }) => name === "main");
  if (main?.file) return main.file;
  throw new TypeError("database: the handle is of a database without a file, which other connections cannot see");
}

function attached(database: HostDatabase) {
  try {
    return database.prepare("pragma database_list").all() as { readonly name: string; readonly file: string }[];
  } catch (cause) {
    throw new TypeError("database: the handle is closed", { cause });
  }
}
