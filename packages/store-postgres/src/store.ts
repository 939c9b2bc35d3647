import {
  type ChangeListener,
  checkClaims,
  type Dues,
  type Logger,
  type PlatformReader,
  type QuotaClaim,
  type QuotaGrant,
  type Reader,
  type SqlConsole,
  StoreError,
  type StoreStats,
  type StoreStatus,
  silentLogger,
  type Transaction,
  type Writer,
} from "@reeve/core/store";
import {
  consoleViews,
  inOrder,
  type Migration,
  migrations as own,
  type Query,
  Room,
  type Rows,
  SqlPlatformReader,
  SqlTenant,
  SqlTransaction,
  tablesOf,
  type Values,
} from "@reeve/store-sql";
import { Dialer, loginOf, poolClosed, type Source, sourceOf } from "./connect/connection.js";
import { Notices } from "./connect/notices.js";
import type { PostgresStoreOptions } from "./connect/options.js";
import { Pool, poolOptionsOf, type TakeConnections } from "./connect/pool.js";
import type { Session } from "./connect/session.js";
import { type Cluster, clusterOf } from "./migrate/cluster.js";
import { dumpSnapshot } from "./migrate/dump.js";
import { isUnmade, markRestored, migrateDatabase, migrationScript } from "./migrate/migrate.js";
import type { MigrateOptions } from "./migrate/owner.js";
import { restoreDump } from "./migrate/restore-dump.js";
import { STATUS, statusOf, statusValues, unmadeStatus } from "./migrate/status.js";
import type { PostgresStore } from "./postgres-store.js";
import { PostgresAccess } from "./query/access.js";
import { PostgresConsole } from "./query/console.js";
import { earlyKinds } from "./query/optimistic-reads.js";
import { ReadsTogether } from "./query/reads-together.js";
import { openReplica, type Replica } from "./query/replica.js";
import { consoleNames } from "./statement/console-views.js";
import { isOfAll, storeError } from "./statement/errors.js";
import { Namespace, roleName } from "./statement/namespace.js";
import type { Read } from "./statement/read.js";
import { postgresDues } from "./write/dues.js";
import { PromptKinds } from "./write/prompt-kinds.js";
import { PostgresQuotas } from "./write/quotas.js";
import { patiently, retried } from "./write/retries.js";
import { Turns } from "./write/turns.js";
import { type ConnectionProvider, PostgresUnit } from "./write/unit.js";

/** Opens a store on PostgreSQL 15 or newer. It connects at first use. */
export function createPostgresStore(options: PostgresStoreOptions): PostgresStore {
  return new OpenPostgresStore(options);
}

/** See `createPostgresStore`. `take` gets its connections. */
export class OpenPostgresStore implements PostgresStore {
  readonly #options: PostgresStoreOptions;
  readonly #migrations: readonly Migration[];
  readonly #source: Source;
  readonly #namespace: Namespace;
  readonly #pool: Pool;
  readonly #logger: Logger;
  readonly #timeoutMs: number;
  readonly #limits: { readonly waitMs: number; readonly wholeMs: number };
  readonly #role: string;
  readonly #notices: Notices | undefined;
  readonly #quotas: PostgresQuotas;
  readonly #connections: ConnectionProvider;
  readonly #replica: Replica | undefined;
  readonly #running = new Set<Promise<unknown>>();
  readonly #room = new Room();
  #closing: Promise<void> | undefined;
  readonly cluster: Cluster;
  readonly platform: PlatformReader;
  readonly dues: Dues;
  readonly console?: SqlConsole;
  readonly watch?: (listener: ChangeListener) => Promise<void>;
  readonly replica?: (tenantId: string) => Reader;

  constructor(options: PostgresStoreOptions, take?: TakeConnections) {
    this.#options = options;
    this.#logger = options.logger ?? silentLogger;
    this.#source = sourceOf(options);
    this.#namespace = new Namespace(options.schema);
    this.#role = roleName(options.runtimeRole ?? `${this.#namespace.schema}_app`);
    this.#migrations = inOrder([...own, ...(options.migrations ?? [])]);
    const known = { source: this.#source, namespace: this.#namespace, runtimeRole: this.#role, logger: this.#logger };
    const poolOptions = poolOptionsOf(options, known);
    this.#timeoutMs = poolOptions.connectionTimeoutMs;
    this.#limits = { waitMs: this.#timeoutMs, wholeMs: poolOptions.statementTimeoutMs };
    this.#pool = new Pool(poolOptions, take);
    this.#quotas = new PostgresQuotas(this.#pool);
    this.#connections = {
      turns: new Turns(this.#timeoutMs),
      promptKinds: new PromptKinds(),
      specs: tablesOf(this.#migrations),
      acquire: () => this.#pool.acquireToWrite(),
      read: (query, values) => this.#read(query, values),
      hasSearchIndex: () => this.#pool.hasSearchIndex(),
    };
    this.platform = new SqlPlatformReader(this.#accessBy((query, values) => this.#read(query, values)));
    this.cluster = clusterOf(
      () => this.#migrating(),
      (work) => this.#owned(work),
    );
    this.dues = postgresDues((step, mode) => this.#patiently(() => this.#with(step, mode)));
    const replica = openReplica(options, poolOptions, this.#pool, (query, values) => this.#read(query, values));
    this.#replica = replica;
    if (replica) {
      this.replica = (tenantId) => {
        this.#assertOpen();
        return replica.reader(tenantId);
      };
    }
    const direct = options.directUrl ?? (options.pooler === "transaction" ? undefined : this.#source);
    if (direct !== undefined) {
      const dialer = new Dialer(direct, this.#timeoutMs);
      const notify = (channel: string, payload: string) =>
        this.#pool.with((session) => session.run("select pg_notify($1::text, $2::text)", [channel, payload]));
      const proof = options.directUrl === undefined ? {} : { notify };
      const notices = new Notices({ dialer, namespace: this.#namespace, logger: this.#logger, ...proof });
      this.#notices = notices;
      this.watch = async (listener) => {
        this.#assertOpen();
        await notices.add(listener);
      };
    }
    if (options.consoleUrl === undefined) return;
    const sqlConsole = new PostgresConsole({
      url: options.consoleUrl,
      names: consoleNames(this.#role, this.#namespace),
      connectionTimeoutMs: this.#timeoutMs,
    });
    this.console = {
      run: async (question) => {
        this.#assertOpen();
        return this.#track(sqlConsole.run(question));
      },
    };
  }

  async migrate(): Promise<void> {
    await this.#owned(() => migrateDatabase(this.#migrating()));
  }

  async dump(dump: (snapshot: string) => Promise<void>): Promise<ReadonlyMap<string, number>> {
    return this.#owned(() => dumpSnapshot(this.#migrating(), dump));
  }

  async restore(schemaless: () => Promise<void>): Promise<void> {
    await this.#owned(() => restoreDump(this.#migrating(), schemaless));
  }

  async markRestored(restored: boolean): Promise<void> {
    await this.#owned(() => markRestored(this.#migrating(), restored));
  }

  async migrationSql(): Promise<string> {
    return this.#owned(() => migrationScript(this.#migrating()));
  }

  /** Runs work of the owner of the tables, after which the facts of the database are read again. */
  async #owned<T>(work: () => Promise<T>): Promise<T> {
    this.#assertOpen();
    const result = await this.#track(work());
    this.#pool.forget();
    return result;
  }

  #migrating(): MigrateOptions {
    const { migrationUrl, pooler, pool } = this.#options;
    if (migrationUrl === undefined && pool?.ending) throw poolClosed();
    const names = consoleNames(this.#role, this.#namespace);
    return {
      dialer: new Dialer(migrationUrl ?? this.#source, this.#timeoutMs),
      migrations: this.#migrations,
      waitMs: this.#options.migrationWaitMs ?? 60_000,
      namespace: this.#namespace,
      runtimeRole: this.#role,
      // Behind a pooler the login is the runtime role itself.
      login: pooler === "transaction" ? undefined : loginOf(this.#source),
      ...(this.console ? { console: { names, views: consoleViews(tablesOf(this.#migrations)) } } : {}),
      logger: this.#logger,
      onNotice: (message) => this.#logger.warn({}, message),
    };
  }

  async status(): Promise<StoreStatus> {
    const rows = await this.#track(this.#askStatus());
    if (rows === undefined) return unmadeStatus(this.#migrations);
    const status = statusOf(rows[0] ?? [], this.#migrations);
    return this.#room.isFull ? { ...status, readOnly: true } : status;
  }

  stats(): StoreStats {
    const { pools = [], ...more } = this.#replica?.stats() ?? {};
    return { pools: [...this.#pool.stats("requests"), ...pools], ...more };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  forTenant(tenantId: string): Writer {
    const reads = new ReadsTogether((step) => this.#pool.with(step));
    const access = this.#accessBy((query, values) => this.#answer(() => reads.read(query, values)));
    return new SqlTenant(tenantId, access, (write) => this.#run((unit) => unit.write(() => write), tenantId));
  }

  #accessBy(read: Read): PostgresAccess {
    return new PostgresAccess(
      read,
      () => this.#pool.hasSearchIndex(),
      // Fills rows that migrations reshape, which changes nothing that anybody reads.
      (work) => this.#run((unit) => work(unit.access)),
    );
  }

  transaction<T>(tenantId: string, work: (tx: Transaction) => Promise<T>, kind?: string): Promise<T> {
    return this.#run((unit) => work(new SqlTransaction(tenantId, unit)), tenantId, kind);
  }

  async reserveQuota(tenantId: string, claims: readonly QuotaClaim[], now: number): Promise<readonly QuotaGrant[]> {
    checkClaims(claims);
    return this.#patiently(() => this.#answer(() => this.#quotas.reserve(tenantId, claims, now)));
  }

  async #run<T>(work: (unit: PostgresUnit) => Promise<T>, tenantId?: string, kind?: string): Promise<T> {
    this.#assertOpen();
    const tenants = new Set<string>();
    try {
      const once = (early: string | undefined) => this.#once(work, tenants, early, kind);
      return await this.#track(this.#patiently(() => retried(once, earlyKinds.may(kind) ? kind : undefined)));
    } catch (error) {
      this.#room.refused(error);
      throw error;
    } finally {
      this.#replica?.wrote(tenantId === undefined ? tenants : tenants.add(tenantId));
    }
  }

  /** In a cluster rows are locked while they move to another node. */
  #patiently<T>(work: () => Promise<T>): Promise<T> {
    return patiently(work, { ...this.#limits, isOn: () => this.#pool.isDistributed });
  }

  /** Runs the work once, under the lock from its first read on. With `early`, single rows may be read before that. */
  async #once<T>(
    work: (unit: PostgresUnit) => Promise<T>,
    tenants: Set<string>,
    early: string | undefined,
    kind: string | undefined,
  ): Promise<T> {
    const unit = new PostgresUnit(this.#connections, tenants, early !== undefined, kind);
    try {
      const result = await work(unit);
      await unit.commit();
      await unit.end();
      if (unit.held.wereAny) this.#room.accepted();
      return result;
    } catch (error) {
      if (early !== undefined && unit.failedByItself) earlyKinds.failed(early);
      // A failure of the connection rests on nothing that was read, and what it committed must not run again.
      if ((await unit.end()) || isOfAll(error)) throw error;
      // A refusal may rest on writes that came to nothing. This work stored nothing, so it may run again.
      throw new StoreError("conflict", "what was read was not committed", { cause: error });
    }
  }

  #read(query: Query, values: Values): Promise<Rows> {
    return this.#with((session) => session.rows(query, values));
  }

  #with(step: (session: Session) => Promise<Rows>, mode?: "read" | "write"): Promise<Rows> {
    return this.#answer(() => this.#pool.with(step, mode));
  }

  async #answer<T>(work: () => Promise<T>): Promise<T> {
    this.#assertOpen();
    try {
      return await this.#track(work());
    } catch (error) {
      throw storeError(error);
    }
  }

  /**
   * `undefined` for a database that was not migrated yet. A connection to a server that only reads is not used again,
   * because another one may take writes by now.
   */
  async #askStatus(): Promise<Rows | undefined> {
    this.#assertOpen();
    try {
      return await this.#pool.with(async (session) => {
        const rows = await session.run(STATUS, statusValues(this.#migrations, this.#namespace), this.#timeoutMs);
        if (rows[0]?.[2] === true) session.giveUp();
        return rows;
      });
    } catch (error) {
      if (await isUnmade(error, this.#migrating())) return undefined;
      throw storeError(error);
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
    await this.#notices?.close();
    await this.#replica?.close();
    await this.#pool.end();
  }
}
