import {
  type Bound,
  bound,
  type OpenOptions,
  type SqliteDatabase,
  type SqliteDriver,
  type SqliteStatement,
} from "./driver.js";

/** The part of a statement of `bun:sqlite` that is used. */
interface BunStatementHandle {
  readonly columnNames: readonly string[];
  run(...values: unknown[]): { readonly changes: number; readonly lastInsertRowid: number | bigint };
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
  values(...values: unknown[]): unknown[][];
  finalize(): void;
}

/** The part of a database of `bun:sqlite` that is used. */
interface BunHandle {
  readonly inTransaction: boolean;
  prepare(sql: string): BunStatementHandle;
  run(sql: string): unknown;
  close(): void;
}

/** The module `bun:sqlite`, whose types Node's compiler does not have. */
export interface BunSqlite {
  readonly Database: new (
    file: string,
    options: { readonly readonly?: boolean; readonly readwrite?: boolean; readonly create?: boolean },
  ) => BunHandle;
}

/** The SQLite that Bun brings. */
export function bunSqlite(library: BunSqlite): SqliteDriver {
  return {
    name: "bun:sqlite",
    open: (file, options) => new BunDatabase(library, file, options),
    // Bun has no copy in steps. This one reads one moment of the database, and is whole or an error.
    async copy(from, to, onProgress) {
      const { name } = from;
      const source = new BunDatabase(library, name, { readonly: true });
      try {
        source.prepare("vacuum into ?").run(to);
      } finally {
        source.close();
      }
      onProgress(1);
    },
  };
}

/** How many statements are prepared before those that are collected are forgotten. */
const MANY = 1_000;

class BunDatabase implements SqliteDatabase {
  readonly #db: BunHandle;
  /** Bun closes a file only after the last of its statements, which may outlive the process, with the log beside it. */
  #prepared: WeakRef<BunStatementHandle>[] = [];
  #most = MANY;
  #open = true;

  constructor(
    library: BunSqlite,
    readonly name: string,
    { readonly = false, fileMustExist = false, timeout }: OpenOptions = {},
  ) {
    const options = readonly ? { readonly } : { readwrite: true, create: !fileMustExist };
    this.#db = new library.Database(name, options);
    if (timeout !== undefined) this.#db.run(`pragma busy_timeout = ${timeout}`);
  }

  get inTransaction(): boolean {
    return this.#open && this.#db.inTransaction;
  }

  prepare(sql: string): SqliteStatement {
    const statement = this.#db.prepare(sql);
    if (this.#prepared.length >= this.#most) {
      this.#prepared = this.#prepared.filter((ref) => ref.deref() !== undefined);
      this.#most = Math.max(MANY, 2 * this.#prepared.length);
    }
    this.#prepared.push(new WeakRef(statement));
    return new BunStatement(statement);
  }

  exec(sql: string): void {
    this.#db.run(sql);
  }

  pragma(source: string, { simple = false } = {}): unknown {
    const statement = this.#db.prepare(`pragma ${source}`);
    try {
      return simple ? statement.values()[0]?.[0] : statement.all();
    } finally {
      statement.finalize();
    }
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const ref of this.#prepared) ref.deref()?.finalize();
    this.#db.close();
  }
}

class BunStatement implements SqliteStatement {
  #raw = false;

  constructor(readonly statement: BunStatementHandle) {}

  get reader(): boolean {
    return this.statement.columnNames.length > 0;
  }

  raw(_on: true): this {
    this.#raw = true;
    return this;
  }

  run(...values: Bound[]) {
    return this.statement.run(...bound(values));
  }

  get(...values: Bound[]): unknown {
    if (this.#raw) return this.statement.values(...bound(values))[0];
    return this.statement.get(...bound(values)) ?? undefined;
  }

  all(...values: Bound[]): unknown[] {
    return this.#raw ? this.statement.values(...bound(values)) : this.statement.all(...bound(values));
  }
}
