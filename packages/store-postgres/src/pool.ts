import type { Logger } from "@reeve/core";
import type { Query, Rows, Values } from "@reeve/store-sql";
import pg from "pg";
import { statementName } from "./dialect.js";
import { storeError } from "./errors.js";
import { checkSession, PLANNING, type SessionFacts } from "./roles.js";

const INT8 = 20;

export interface PoolOptions {
  readonly url: string;
  readonly runtimeRole: string;
  readonly poolSize: number;
  readonly pooler: "none" | "transaction";
  readonly connectionTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly logger: Logger;
}

/** Whole numbers come back as numbers: all that are stored are safe integers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser,
};

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
      types,
      ...(this.#named ? { options: settings.map((setting) => `-c ${setting}`).join(" ") } : {}),
    });
    // A connection that breaks while nobody asks it anything raises an error event; unheard, it would end the process.
    const broken = (error: Error) => logger.warn({ error: error.message }, "a database connection broke");
    this.#pool.on("error", broken);
    this.#pool.on("connect", (client) => void client.on("error", broken));
  }

  async take(): Promise<Session> {
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
    if (!this.#facts) (await this.take()).release();
    return this.#facts?.searchIndex ?? false;
  }

  /** Looks at the database anew with the next connection: the schema changed. */
  forget(): void {
    this.#facts = undefined;
  }

  /** Runs one step on a connection of its own. */
  async with<T>(step: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.take();
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

/** A connection lent to one step or transaction. */
export class Session {
  constructor(
    private readonly client: pg.PoolClient,
    private readonly named: boolean,
  ) {}

  async rows(query: Query, values: Values): Promise<Rows> {
    return this.run(
      query.sql,
      query.slots.map((slot) => values[slot]),
      query.name,
    );
  }

  async run(text: string, values: readonly unknown[], name = this.named ? statementName(text) : ""): Promise<Rows> {
    const query = { text, values: [...values], rowMode: "array" as const };
    const { rows } = await this.client.query(this.named ? { ...query, name } : query);
    return rows as unknown as Rows;
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

  /** Gives the connection back, unless it broke or still has a transaction open: then nobody else may have it. */
  release(broken = false): void {
    this.client.release(broken || this.inTransaction);
  }
}
