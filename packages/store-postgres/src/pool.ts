import type { Logger } from "@reeve/core/store";
import type { Query, Rows, Values } from "@reeve/store-sql";
import pg from "pg";
import { statementName } from "./dialect.js";
import { storeError } from "./errors.js";
import { type Answer, PipelinedBatch, Prepared, type Step } from "./pipelined-batch.js";
import { checkSession, PLANNING, type SessionFacts } from "./roles.js";

const preparedOn = new WeakMap<pg.PoolClient, Prepared>();

export interface PoolOptions {
  readonly url: string;
  readonly runtimeRole: string;
  readonly poolSize: number;
  readonly pooler: "none" | "transaction";
  readonly connectionTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly logger: Logger;
}

/** The connections requests run on, all as the runtime role. */
export class Pool {
  readonly #pool: pg.Pool;
  readonly #named: boolean;
  #facts: SessionFacts | undefined;

  constructor(private readonly options: PoolOptions) {
    const { url, runtimeRole, poolSize, pooler, connectionTimeoutMs, statementTimeoutMs, logger } = options;
    this.#named = pooler === "none";
    const settings = [
      `role=${runtimeRole}`,
      `statement_timeout=${statementTimeoutMs}`,
      `lock_timeout=${connectionTimeoutMs}`,
      ...PLANNING.map(([name, value]) => `${name}=${value}`),
    ];
    this.#pool = new pg.Pool({
      connectionString: url,
      max: poolSize,
      connectionTimeoutMillis: connectionTimeoutMs,
      allowExitOnIdle: true,
      ...(this.#named ? { options: settings.map((setting) => `-c ${setting}`).join(" ") } : {}),
    });
    // An idle connection that breaks raises an error event, which would end the process without a listener.
    const broken = (error: Error) => logger.warn({ error: error.message }, "a database connection broke");
    this.#pool.on("error", broken);
    this.#pool.on("connect", (client) => void client.on("error", broken));
  }

  async acquire(): Promise<Session> {
    let client: pg.PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (error) {
      throw storeError(error);
    }
    const session = new Session(client, this.#named);
    if (this.#facts) return session;
    try {
      this.#facts = await checkSession(client, this.options.runtimeRole);
      return session;
    } catch (error) {
      session.release();
      throw storeError(error);
    }
  }

  /** Whether searches can use trigrams. A transaction under way has asked already, so this takes no second connection. */
  async hasSearchIndex(): Promise<boolean> {
    if (!this.#facts) (await this.acquire()).release();
    return this.#facts?.searchIndex ?? false;
  }

  /** Reads the facts of the database again with the next connection, because the schema changed. */
  forget(): void {
    this.#facts = undefined;
  }

  /** Runs one step on a connection of its own. */
  async with<T>(step: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.acquire();
    try {
      return await step(session);
    } finally {
      session.release();
    }
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }
}

/** A connection used by one step or transaction. */
export class Session {
  readonly #prepared: Prepared;

  constructor(
    private readonly client: pg.PoolClient,
    private readonly named: boolean,
  ) {
    let prepared = preparedOn.get(client);
    if (!prepared) {
      prepared = new Prepared();
      preparedOn.set(client, prepared);
    }
    this.#prepared = prepared;
  }

  /** Runs statements one after the other in one round trip; after one that fails, none is run. */
  async send(steps: readonly Step[]): Promise<readonly Answer[]> {
    return this.#answersOf(this.#depart(new PipelinedBatch(steps, this.#prepared)));
  }

  /**
   * Sends statements and, right behind them, others that run whatever the first do. Wait for both before the release.
   */
  sendBoth(
    steps: readonly Step[],
    others: readonly Step[],
  ): readonly [first: Promise<readonly Answer[]>, second: Promise<readonly Answer[]>] {
    const behind = new PipelinedBatch(others, this.#prepared);
    const batch = this.#depart(new PipelinedBatch(steps, this.#prepared, behind));
    return [this.#answersOf(batch), this.#answersOf(this.#depart(behind))];
  }

  #depart(batch: PipelinedBatch): PipelinedBatch {
    this.client.query(batch);
    return batch;
  }

  async #answersOf(batch: PipelinedBatch): Promise<readonly Answer[]> {
    try {
      return await batch.answers;
    } catch (error) {
      // A batch that was never sent had no effect, whatever happened to the connection.
      throw batch.sent ? error : storeError(error);
    }
  }

  /** A statement as this connection sends it: behind a pooler, without its name. */
  ready(step: Step): Step {
    return this.named ? step : { ...step, name: "" };
  }

  query({ sql, slots, name }: Query, values: Values): Step {
    return this.ready({ text: sql, values: slots.map((slot) => values[slot]), name });
  }

  async rows(query: Query, values: Values): Promise<Rows> {
    const [answer] = await this.send([this.query(query, values)]);
    return answer?.rows ?? [];
  }

  async run(text: string, values: readonly unknown[]): Promise<Rows> {
    const [answer] = await this.send([this.ready({ text, values, name: statementName(text) })]);
    return answer?.rows ?? [];
  }

  /** Statements without parameters in one round trip; answers the tag of the last. */
  async simple(text: string): Promise<string> {
    const result: unknown = await this.client.query(text);
    const last = Array.isArray(result) ? result.at(-1) : result;
    return (last as pg.QueryResult).command;
  }

  get inTransaction(): boolean {
    return this.client.getTransactionStatus() !== "I";
  }

  /** Returns the connection to the pool. A broken one, or one with an open transaction, is destroyed. */
  release(broken = false): void {
    this.client.release(broken || this.inTransaction);
  }
}
