import { type Logger, type PoolStats, StoreError } from "@reeve/core/store";
import { Semaphore } from "@reeve/store-sql";
import type pg from "pg";
import { connectError, endsConnection, stateOf, storeError } from "../statement/errors.js";
import type { Namespace } from "../statement/namespace.js";
import { BorrowedPool } from "./borrowed-pool.js";
import type { HostPool, Source } from "./connection.js";
import { withDeadline } from "./deadline.js";
import type { PostgresStoreOptions } from "./options.js";
import { type Connections, OwnPool, type RuntimeSettings } from "./own-pool.js";
import { CLUSTER_SETTINGS, checkSession, type SessionFacts } from "./roles.js";
import { Session } from "./session.js";

/** The connections that transactions leave to reads, and those that they may have of any pool. */
const FOR_READS = 2;
const FOR_WRITES = 2;
/** What the driver takes for a pool without a limit of its own. */
const DRIVERS_SIZE = 10;
const IN_CLUSTER = CLUSTER_SETTINGS.map(([name, value]) => `set ${name} = '${value}'`).join("; ");

export interface PoolOptions extends RuntimeSettings {
  readonly source: Source;
  readonly namespace: Namespace;
  /** The most connections of the store's own pool. */
  readonly poolSize: number;
  readonly pooler: "none" | "transaction";
  readonly logger: Logger;
}

/** The options of a store's pool, with what it has in place of those that are absent. */
export function poolOptionsOf(
  options: PostgresStoreOptions,
  known: Pick<PoolOptions, "source" | "namespace" | "runtimeRole" | "logger">,
): PoolOptions {
  const { connectionTimeoutMs = 5_000, statementTimeoutMs = 30_000 } = options;
  return {
    ...known,
    poolSize: options.poolSize ?? 10,
    pooler: options.pooler ?? "none",
    connectionTimeoutMs,
    statementTimeoutMs,
    answerTimeoutMs: options.answerTimeoutMs ?? statementTimeoutMs + connectionTimeoutMs,
    idleTransactionTimeoutMs: options.idleTransactionTimeoutMs ?? 10_000,
  };
}

/** How a pool gets its connections. */
export type TakeConnections = (open: () => Connections) => Connections;

/** The connections of requests, all with the runtime role. */
export class Pool {
  readonly #connections: Connections;
  readonly #writers: Semaphore;
  readonly #limit: number;
  readonly #isSetUp = new WeakSet<pg.PoolClient>();
  #facts: SessionFacts | undefined;

  constructor(
    private readonly options: PoolOptions,
    take: TakeConnections = (open) => open(),
  ) {
    const { source, poolSize: size, pooler, logger } = options;
    this.#connections = take(() =>
      typeof source === "string"
        ? new OwnPool(source, options, { size, startUpOptions: pooler === "none", logger })
        : new BorrowedPool(source, options, logger),
    );
    const most = (typeof source === "string" ? size : sizeOf(source)) || DRIVERS_SIZE;
    this.#limit = most;
    const places = Math.min(most, Math.max(FOR_WRITES, most - FOR_READS));
    this.#writers = new Semaphore(places, "no connection for a transaction became free in time");
  }

  /**
   * A connection for what may commit. Some are left to reads, because a commit can wait for long: for a standby, the disk
   * or a lock.
   */
  async acquireToWrite(): Promise<Session> {
    await this.#writers.take(this.options.connectionTimeoutMs);
    let isHeld = true;
    const leave = () => {
      if (isHeld) this.#writers.giveBack();
      isHeld = false;
    };
    try {
      return await this.acquire(leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  async acquire(released?: () => void): Promise<Session> {
    const client = await this.#connect();
    const session = new Session(client, {
      namespace: this.options.namespace,
      named: this.options.pooler === "none",
      isDistributed: () => this.isDistributed,
      answerTimeoutMs: this.options.answerTimeoutMs,
      giveBack: (given, broken) => {
        this.#connections.giveBack(given, broken);
        released?.();
      },
    });
    if (this.#facts && !this.#facts.isDistributed) return session;
    try {
      this.#facts ??= await withDeadline(
        client,
        this.options.answerTimeoutMs,
        checkSession(client, this.options.runtimeRole, this.options.namespace.schema),
      );
      if (this.#facts.isDistributed) await this.#setUpForCluster(client);
      return session;
    } catch (error) {
      session.release(endsConnection(error));
      throw storeError(error);
    }
  }

  /** A connection has other settings in a cluster, which start-up options cannot know. A pooler has them of the role. */
  async #setUpForCluster(client: pg.PoolClient): Promise<void> {
    const isKept = typeof this.options.source === "string" && this.#isSetUp.has(client);
    if (isKept || this.options.pooler !== "none") return;
    await withDeadline(client, this.options.answerTimeoutMs, client.query(IN_CLUSTER));
    this.#isSetUp.add(client);
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#connections.connect();
    } catch (error) {
      const role = this.options.runtimeRole;
      if (stateOf(error) === "42501")
        throw new StoreError("schema", `the login of requests may not become ${role}: migrate, or grant it that role`, {
          cause: error,
        });
      throw connectError(error);
    }
  }

  /**
   * Whether searches can use trigrams. A running transaction has already read this, so it takes no second connection.
   */
  async hasSearchIndex(): Promise<boolean> {
    if (!this.#facts) (await this.acquire()).release();
    return this.#facts?.searchIndex ?? false;
  }

  /** Makes the next connection read the facts of the database again, because the schema changed. */
  forget(): void {
    this.#facts = undefined;
  }

  /** Whether the tables are distributed over the nodes of a cluster, as far as it is known yet. */
  get isDistributed(): boolean {
    return this.#facts?.isDistributed ?? false;
  }

  /** Runs one step on a connection of its own. */
  async with<T>(step: (session: Session) => Promise<T>, mode: "read" | "write" = "read"): Promise<T> {
    const session = await (mode === "write" ? this.acquireToWrite() : this.acquire());
    try {
      return await step(session);
    } finally {
      session.release();
    }
  }

  /** Its connections at this moment, by a name. Transactions that wait for a place wait for a connection. */
  stats(name: string): readonly PoolStats[] {
    const counts = this.#connections.counts();
    if (counts === undefined) return [];
    return [{ name, ...counts, waiting: counts.waiting + this.#writers.waiting, limit: this.#limit }];
  }

  /** Closes the store's own pool. A host's pool stays open. */
  async end(): Promise<void> {
    await this.#connections.end();
  }
}

function sizeOf({ options }: HostPool): number | undefined {
  return (options as { readonly max?: number }).max;
}
