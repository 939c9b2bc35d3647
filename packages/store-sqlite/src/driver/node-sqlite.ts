import {
  type Bound,
  bound,
  type OpenOptions,
  type SqliteDatabase,
  type SqliteDriver,
  type SqliteStatement,
} from "./driver.js";

/** The part of a statement of `node:sqlite` that is used. */
interface StatementSync {
  columns(): readonly unknown[];
  setReturnArrays(on: boolean): void;
  run(...values: unknown[]): { readonly changes: number; readonly lastInsertRowid: number };
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
}

/** The part of a database of `node:sqlite` that is used. */
interface DatabaseSync {
  readonly isTransaction: boolean;
  prepare(sql: string): StatementSync;
  exec(sql: string): void;
  close(): void;
}

interface Progress {
  readonly totalPages: number;
  readonly remainingPages: number;
}

/** The module `node:sqlite`, which the types of the oldest Node do not have. */
export interface NodeSqlite {
  readonly DatabaseSync: new (file: string, options: { readonly readOnly?: boolean }) => DatabaseSync;
  backup(
    from: DatabaseSync,
    to: string,
    options: { readonly rate: number; progress(progress: Progress): void },
  ): Promise<number>;
}

/** Pages per step of a copy. Others can write to the source between two steps. */
const PAGES = 1_000;

/** The SQLite that Node brings. */
export function nodeSqlite(library: NodeSqlite): SqliteDriver {
  return {
    name: "node:sqlite",
    open: (file, options) => new NodeDatabase(library, file, options),
    async copy(from, to, onProgress) {
      await library.backup((from as NodeDatabase).db, to, {
        rate: PAGES,
        progress: ({ totalPages, remainingPages }) =>
          onProgress(totalPages === 0 ? 1 : 1 - remainingPages / totalPages),
      });
      onProgress(1);
    },
  };
}

class NodeDatabase implements SqliteDatabase {
  readonly db: DatabaseSync;
  #open = true;

  constructor(
    library: NodeSqlite,
    readonly name: string,
    { readonly = false, fileMustExist = false, timeout }: OpenOptions = {},
  ) {
    // Node creates a file that is not there. One that must exist is opened read-only first.
    if (fileMustExist && !readonly) new library.DatabaseSync(name, { readOnly: true }).close();
    this.db = new library.DatabaseSync(name, { readOnly: readonly });
    if (timeout !== undefined) this.db.exec(`pragma busy_timeout = ${timeout}`);
  }

  get inTransaction(): boolean {
    return this.#open && this.db.isTransaction;
  }

  prepare(sql: string): SqliteStatement {
    return new NodeStatement(this.db.prepare(sql));
  }

  exec(sql: string): void {
    this.db.exec(sql);
  }

  pragma(source: string, { simple = false } = {}): unknown {
    const rows = this.db.prepare(`pragma ${source}`).all();
    return simple ? Object.values(Object(rows[0]))[0] : rows;
  }

  close(): void {
    // Node throws at the second time.
    if (this.#open) this.db.close();
    this.#open = false;
  }
}

class NodeStatement implements SqliteStatement {
  constructor(readonly statement: StatementSync) {}

  get reader(): boolean {
    return this.statement.columns().length > 0;
  }

  raw(_on: true): this {
    this.statement.setReturnArrays(true);
    return this;
  }

  run(...values: Bound[]) {
    return this.statement.run(...bound(values));
  }

  get(...values: Bound[]): unknown {
    return this.statement.get(...bound(values));
  }

  all(...values: Bound[]): unknown[] {
    return this.statement.all(...bound(values));
  }
}
