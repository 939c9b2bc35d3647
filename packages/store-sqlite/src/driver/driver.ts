/** What a statement takes as a value. Lists of values are spread. */
export type Bound = unknown;

/** A prepared statement of any driver, in the form of better-sqlite3. */
export interface SqliteStatement {
  /** Whether the statement answers rows. */
  readonly reader: boolean;
  /** Rows as lists of cells from here on. */
  raw(on: true): this;
  run(...values: Bound[]): { readonly changes: number; readonly lastInsertRowid: number | bigint };
  get(...values: Bound[]): unknown;
  all(...values: Bound[]): unknown[];
}

/** A connection of any driver, in the form of better-sqlite3. */
export interface SqliteDatabase {
  /** The path that was opened. */
  readonly name: string;
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  /** The rows of a pragma, or with `simple` the first value of the first one. */
  pragma(source: string, options?: { readonly simple?: boolean }): unknown;
  close(): unknown;
}

export interface OpenOptions {
  readonly readonly?: boolean;
  /** Refuses to create the file. */
  readonly fileMustExist?: boolean;
  /** How long SQLite itself waits for a lock, in ms. */
  readonly timeout?: number;
}

export const DRIVERS = ["better-sqlite3", "node:sqlite", "bun:sqlite"] as const;
export type DriverName = (typeof DRIVERS)[number];

/** A library that has SQLite in it. */
export interface SqliteDriver {
  readonly name: DriverName;
  open(file: string, options?: OpenOptions): SqliteDatabase;
  /** Copies a database, its WAL with it, to a new file while others write. `onProgress` gets the share done. */
  copy(from: SqliteDatabase, to: string, onProgress: (share: number) => void): Promise<void>;
}

/** The values as the drivers of Node and Bun take them: lists are spread, and `undefined` is null. */
export function bound(values: readonly Bound[]): unknown[] {
  return values.flat().map((value) => value ?? null);
}

/** Runs `work` in a transaction that takes the write lock at once. */
export function immediately<T>(db: SqliteDatabase, work: () => T): T {
  db.exec("begin immediate");
  try {
    const result = work();
    db.exec("commit");
    return result;
  } finally {
    // A full or broken disk has undone it already.
    if (db.inTransaction) db.exec("rollback");
  }
}
