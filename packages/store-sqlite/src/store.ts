import {
  type ChangeListener,
  checkClaims,
  type Dues,
  type Logger,
  type PlatformReader,
  type QuotaClaim,
  type QuotaGrant,
  type SqlConsole,
  StoreError,
  type StoreStatus,
  silentLogger,
  type Transaction,
  type Writer,
} from "@reeve/core/store";
import {
  backfillsOf,
  consoleViews,
  inOrder,
  type Migration,
  migrations as own,
  Room,
  runBackfill,
  SqlPlatformReader,
  type SqlStore,
  SqlTenant,
  SqlTransaction,
  type TableSpec,
  tablesOf,
  type Write,
} from "@reeve/store-sql";
import { SqliteAccess } from "./access.js";
import { backfillStatus, sqliteBackfills } from "./backfills.js";
import { openConnection, type Synchronous } from "./connection.js";
import { type ConsoleDriver, SqliteConsole } from "./console.js";
import type { DriverName } from "./driver/driver.js";
import { type HostDatabase, openingOf } from "./driver/host.js";
import { sqliteDues } from "./dues.js";
import { ForeignCommits } from "./foreign-commits.js";
import { GroupCommit } from "./group-commit.js";
import { Maintenance } from "./maintenance.js";
import { appliedMigrations, migrateStep, migrationScript, unfinishedBackfills } from "./migrate.js";
import { PromptKinds } from "./prompt-kinds.js";
import { SqliteQuotas } from "./quotas.js";
import { isRestored, markRestored } from "./restored.js";
import { retryWhileBusy } from "./retry-while-busy.js";
import { Statements } from "./statements.js";
import { SqliteUnit } from "./unit.js";

export interface SqliteStoreOptions {
  /** Path of the database file. It and its folder are created when absent, accessible to their owner only. */
  readonly file?: string;
  /**
   * A handle of the host, in place of `file`: of better-sqlite3, `DatabaseSync` of Node or `Database` of Bun. The store
   * opens its own connections to the same file by the same library and never closes the handle. It holds the file's lock
   * for one turn of the event loop, in which the host does nothing.
   */
  readonly database?: HostDatabase;
  /** The library with SQLite in it. Default: `bun:sqlite` in Bun; elsewhere better-sqlite3 where it loads, else `node:sqlite`. */
  readonly driver?: DriverName;
  /**
   * `FULL` (default): an acknowledged write survives a power cut. `NORMAL`: it survives a crash of the process only.
   */
  readonly synchronous?: Synchronous;
  /** How long a write waits for the lock before it rejects with `busy`, in ms (default 5,000). */
  readonly busyTimeoutMs?: number;
  /** Migrations in addition to Reeve's own. */
  readonly migrations?: readonly Migration[];
  /** Gets failures outside of requests: checkpoints and the search index. */
  readonly logger?: Logger;
}

/** Opens an SQLite store. The file must be on one machine; its processes may share it. */
export function createSqliteStore(options: SqliteStoreOptions): SqlStore {
  return new SqliteStore(options);
}

class SqliteStore implements SqlStore {
  readonly #busyMs: number;
  readonly #migrations: readonly Migration[];
  readonly #specs: readonly TableSpec[];
  readonly #writer: Statements;
  readonly #reader: Statements;
  readonly #access: SqliteAccess;
  readonly #commits: GroupCommit;
  readonly #maintenance: Maintenance;
  readonly #foreign: ForeignCommits;
  readonly #quotas: SqliteQuotas;
  readonly #logger: Logger;
  readonly #promptKinds = new PromptKinds();
  readonly #room = new Room();
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;
  readonly platform: PlatformReader;
  readonly dues: Dues;
  readonly console?: SqlConsole;

  constructor(options: SqliteStoreOptions) {
    const { file, driver } = openingOf(options);
    const { synchronous = "FULL", busyTimeoutMs = 5_000, migrations = [], logger = silentLogger } = options;
    this.#busyMs = busyTimeoutMs;
    this.#logger = logger;
    this.#migrations = inOrder([...own, ...migrations]);
    this.#specs = tablesOf(this.#migrations);
    this.#writer = new Statements(openConnection(driver, { file, synchronous }));
    this.#reader = new Statements(openConnection(driver, { file, synchronous, readonly: true }));
    this.#foreign = new ForeignCommits(this.#writer.db);
    this.#commits = new GroupCommit(this.#writer, busyTimeoutMs, options.database !== undefined);
    this.#quotas = new SqliteQuotas(driver, file, busyTimeoutMs);
    this.#access = new SqliteAccess(
      (run) => {
        this.#assertOpen();
        return retryWhileBusy(this.#busyMs, () => run(this.#reading));
      },
      (work) => this.#track(this.#run((unit) => work(unit.access))),
    );
    this.platform = new SqlPlatformReader(this.#access);
    this.dues = sqliteDues(async (kind, run) => {
      this.#assertOpen();
      if (kind === "read") return retryWhileBusy(this.#busyMs, () => run(this.#reading));
      return this.#track(this.#run((unit) => unit.run(run)));
    });
    if (driver.name !== "bun:sqlite") this.console = this.#consoleOf(driver.name, file);
    this.#maintenance = new Maintenance(this.#writer, this.#reader, this.#commits, logger);
  }

  /**
   * The connection of reads outside of units. The writing one keeps its cached pages over its own commits, after each of
   * which the other reads them anew. That one reads beside an open transaction, of which it sees nothing.
   */
  get #reading(): Statements {
    return this.#writer.db.inTransaction ? this.#reader : this.#writer;
  }

  #consoleOf(driver: ConsoleDriver, file: string): SqlConsole {
    const sqlConsole = new SqliteConsole(driver, file, consoleViews(this.#specs));
    return {
      run: async (question) => {
        this.#assertOpen();
        return this.#track(sqlConsole.run(question));
      },
    };
  }

  async migrate(): Promise<void> {
    this.#assertOpen();
    await this.#track(this.#migrate());
    this.#maintenance.searchWritten();
  }

  async #migrate(): Promise<void> {
    const { db } = this.#writer;
    const step = () => retryWhileBusy(this.#busyMs, () => migrateStep(db, this.#migrations));
    for (let left = 2 * this.#migrations.length; ; left--) {
      const unfinished = unfinishedBackfills(db, this.#migrations);
      for (const backfill of backfillsOf(this.#migrations)) {
        if (!unfinished.includes(backfill.name)) continue;
        await runBackfill(sqliteBackfills(this.#writer, this.#commits, this.#busyMs), backfill, this.#logger);
      }
      if (!(await this.#commits.alone(step))) return;
      if (left === 0) throw new StoreError("schema", "migrations do not come to an end");
    }
  }

  async migrationSql(): Promise<string> {
    this.#assertOpen();
    return retryWhileBusy(this.#busyMs, () => migrationScript(this.#reader.db, this.#migrations));
  }

  async markRestored(restored: boolean): Promise<void> {
    this.#assertOpen();
    await this.#track(
      this.#commits.alone(() => retryWhileBusy(this.#busyMs, () => markRestored(this.#writer.db, restored))),
    );
  }

  async status(): Promise<StoreStatus> {
    this.#assertOpen();
    this.#commits.file.assertThere();
    const { db } = this.#reader;
    const [applied, backfills, restored] = await retryWhileBusy(
      this.#busyMs,
      () => [appliedMigrations(db), backfillStatus(db), isRestored(db)] as const,
    );
    const known = new Set(this.#migrations.map(({ number }) => number));
    const unknown = applied.filter(({ number }) => !known.has(number));
    const refused = unknown.some(({ phase }) => phase !== "expand");
    const latest = this.#migrations.at(-1)?.number ?? 0;
    const readOnly = this.#room.isFull || !(await this.#commits.takesWrites());
    return {
      kind: "sqlite",
      readOnly,
      migration: {
        applied: applied.at(-1)?.number ?? 0,
        latest,
        ...(unknown.length > 0 ? { unknown: true } : {}),
        ...(refused ? { refused } : {}),
      },
      ...(backfills.length > 0 ? { backfills } : {}),
      ...(restored ? { restored } : {}),
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  forTenant(tenantId: string): Writer {
    return new SqlTenant(tenantId, this.#access, (write) => this.#single(write));
  }

  async transaction<T>(tenantId: string, work: (tx: Transaction) => Promise<T>, kind?: string): Promise<T> {
    this.#assertOpen();
    return this.#track(this.#run((unit) => work(new SqlTransaction(tenantId, unit)), kind));
  }

  async reserveQuota(tenantId: string, claims: readonly QuotaClaim[], now: number): Promise<readonly QuotaGrant[]> {
    this.#assertOpen();
    checkClaims(claims);
    return this.#track((async () => this.#quotas.reserve(tenantId, claims, now))());
  }

  async watch(listener: ChangeListener): Promise<void> {
    this.#assertOpen();
    this.#foreign.add(listener);
  }

  async #single(write: Write): Promise<void> {
    this.#assertOpen();
    await this.#track(this.#run((unit) => unit.write(() => write)));
  }

  async #run<T>(work: (unit: SqliteUnit) => Promise<T>, kind?: string): Promise<T> {
    const unit = new SqliteUnit(this.#commits, this.#access, this.#promptKinds, kind, this.#specs);
    try {
      const result = await work(unit);
      await unit.commit();
      if (unit.wrote) this.#room.accepted();
      for (const tenantId of unit.access.emptied) await this.#forgetQuotas(tenantId);
      return result;
    } catch (error) {
      this.#room.refused(error);
      throw error;
    } finally {
      await unit.end();
      this.#maintenance.written();
      if (unit.searchable) this.#maintenance.searchWritten();
    }
  }

  /** The quotas of a tenant that is gone. They lie in a file of their own, and one that stays ends with its window. */
  async #forgetQuotas(tenantId: string): Promise<void> {
    try {
      await this.#quotas.forget(tenantId);
    } catch (error) {
      this.#logger.warn({ error: String(error), tenantId }, "the quotas of a tenant that is gone stay for a while");
    }
  }

  async #track<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }

  #assertOpen(): void {
    if (this.#closing) throw new StoreError("closed", "the store is closed");
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#running);
    this.#maintenance.stop();
    this.#foreign.stop();
    try {
      await this.#commits.alone(() => {
        this.#reader.db.close();
        this.#writer.db.pragma("wal_checkpoint(TRUNCATE)");
      });
    } catch (error) {
      // What was answered is durable in the WAL, which the next start reads.
      this.#logger.warn(
        { error: String(error) },
        "the -wal file stays, because it could not be copied back at the end",
      );
    } finally {
      for (const { db } of [this.#reader, this.#writer]) db.close();
      this.#quotas.close();
    }
  }
}
