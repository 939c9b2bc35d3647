import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { StoreError } from "@reeve/core/store";
import type { SqliteDatabase, SqliteDriver } from "./driver/driver.js";
import { isBusy } from "./errors.js";

/** Older versions can lose a commit when a WAL reset coincides with a write of another connection. */
const OLDEST = [3, 51, 3] as const;
/** How long SQLite itself waits for a lock, in ms. It blocks the process, so the store does longer waits. */
const BUSY_MS = 10;
/** Attempts to open a busy database, and the pause between them in ms. */
const OPEN_TRIES = 250;
const OPEN_WAIT_MS = 20;
/** An event of two kilobytes takes half of a page of four, and a third of one of eight. */
const PAGE_BYTES = 8_192;
/**
 * WAL pages at which a commit does a checkpoint itself: so few that it takes about 20 ms of the event loop. The store
 * does most checkpoints earlier, outside of requests.
 */
const AUTOCHECKPOINT_PAGES = 2_000;
/** What is left of the file of the WAL when it begins anew, in bytes. More than this waits only behind a reader. */
export const WAL_BYTES = 64 * 1_024 * 1_024;
const CACHE_KIB = 32_768;
const MEMORY = 2;

export type Synchronous = "FULL" | "NORMAL";

export interface ConnectionOptions {
  readonly file: string;
  readonly synchronous: Synchronous;
  readonly readonly?: boolean;
}

/**
 * Opens a connection and verifies every setting, because some do not survive a reopen. Processes that open a new
 * database at once conflict while it changes to WAL, so a busy one is retried. Waiting may block, because nothing is
 * served before the store is open.
 */
export function openConnection(driver: SqliteDriver, options: ConnectionOptions): SqliteDatabase {
  if (!options.readonly) createFile(options.file);
  for (let tries = 1; ; tries++) {
    try {
      return open(driver, options);
    } catch (error) {
      if (!isBusy(error) || tries === OPEN_TRIES) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_WAIT_MS);
    }
  }
}

function open(driver: SqliteDriver, { file, synchronous, readonly = false }: ConnectionOptions): SqliteDatabase {
  const db = driver.open(file, { readonly, timeout: BUSY_MS });
  try {
    const [version] = db.prepare("select sqlite_version()").raw(true).get() as [string];
    checkVersion(version);
    // Only a database that is still empty takes another page size.
    if (!readonly) db.pragma(`page_size = ${PAGE_BYTES}`);
    if (!readonly) db.pragma("journal_mode = WAL");
    expectPragma(db, "journal_mode", "wal");
    const settings: readonly [name: string, value: number][] = [
      ["synchronous", synchronous === "FULL" ? 2 : 1],
      ["foreign_keys", 1],
      ["trusted_schema", 0],
      ["busy_timeout", BUSY_MS],
      ["cache_size", -CACHE_KIB],
      ["temp_store", MEMORY],
      ["wal_autocheckpoint", AUTOCHECKPOINT_PAGES],
      ["journal_size_limit", WAL_BYTES],
      ["query_only", readonly ? 1 : 0],
    ];
    for (const [name, value] of settings) {
      db.pragma(`${name} = ${value}`);
      expectPragma(db, name, value);
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Refuses an SQLite whose WAL is not reliable. */
export function checkVersion(version: string): void {
  const parts = version.split(".").map(Number);
  for (const [at, least] of OLDEST.entries()) {
    const part = parts[at] ?? 0;
    if (part > least) return;
    if (part < least)
      throw new StoreError("schema", `SQLite ${version} is too old: ${OLDEST.join(".")} or newer is needed`);
  }
}

/** Throws unless a setting has the wanted value. */
export function expectPragma(db: SqliteDatabase, name: string, wanted: string | number): void {
  const value = db.pragma(name, { simple: true });
  if (value !== wanted) throw new StoreError("schema", `SQLite keeps ${name} at ${value} where ${wanted} is needed`);
}

/** Creates the file and its folder, accessible to their owner only. */
function createFile(file: string): void {
  // Node would try for ever to make a relative folder inside of a deleted one.
  mkdirSync(resolve(dirname(file)), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, "wx", 0o600));
    chmodSync(file, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
