import { type Logger, StoreError } from "@reeve/core/store";
import type pg from "pg";
import { statementName } from "../statement/statement-name.js";
import { type HostPool, poolClosed } from "./connection.js";
import { connectionState } from "./connection-state.js";
import { withDeadline } from "./deadline.js";
import { type Connections, countsOf, type PoolCounts, type RuntimeSettings, settingsOf } from "./own-pool.js";
import { type Answer, PipelinedBatch, type Step } from "./pipelined-batch.js";

/**
 * Connections of a host's pool. Each gets the runtime role before use and its own settings back afterwards. That costs
 * one round trip before, and one after that nobody waits for.
 */
export class BorrowedPool implements Connections {
  readonly #read: Step;
  readonly #values: readonly string[];
  readonly #change: Step;
  readonly #before = new WeakMap<pg.PoolClient, readonly unknown[]>();
  readonly #onTheWayBack = new Set<Promise<void>>();
  readonly #broken: (error: Error) => void;

  constructor(
    private readonly pool: HostPool,
    private readonly runtime: RuntimeSettings,
    private readonly logger: Logger,
  ) {
    const settings = settingsOf(runtime);
    this.#values = settings.map(([, value]) => value);
    this.#read = step(`select ${settings.map(([name]) => `current_setting('${name}')`).join(", ")}`);
    this.#change = step(
      `select ${settings.map(([name], at) => `set_config('${name}', $${at + 1}::text, false)`).join(", ")}`,
    );
    this.#broken = (error) => logger.warn({ error: error.message }, "a database connection broke");
  }

  async connect(): Promise<pg.PoolClient> {
    if (this.pool.ending) throw poolClosed();
    const client = await this.#lent();
    if ((client as Partial<pg.Client>).connection === undefined) {
      client.release();
      throw new StoreError("schema", "pool: the JavaScript client of pg is needed, not the native one");
    }
    // A broken connection emits an error event, which would end the process without a listener.
    client.on("error", this.#broken);
    try {
      const change = { ...this.#change, values: this.#values };
      const [found, , checked] = await run(client, [this.#read, change, CHECK], this.runtime.connectionTimeoutMs);
      const role: unknown = checked?.rows[0]?.[0];
      if (role !== this.runtime.runtimeRole) throw new StoreError("schema", `requests would run as ${role}`);
      this.#before.set(client, found?.rows[0] ?? []);
    } catch (error) {
      this.#release(client, true);
      throw error;
    }
    if (!connectionState(client).inTransaction) return client;
    this.logger.warn({}, "the pool lent a connection with an open transaction; it is closed");
    this.#release(client, true);
    return this.connect();
  }

  /** The pool of a host may wait for ever, and for one who waits for this very store. */
  #lent(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        reject(new StoreError("busy", "the pool lent no connection in time"));
      }, this.runtime.connectionTimeoutMs);
      const lent = this.pool.connect() as Promise<pg.PoolClient>;
      lent.then((client) => (late ? client.release() : resolve(client)), reject).finally(() => clearTimeout(timer));
    });
  }

  giveBack(client: pg.PoolClient, broken: boolean): void {
    if (broken) {
      this.#release(client, true);
      return;
    }
    const back = this.#restore(client).finally(() => this.#onTheWayBack.delete(back));
    this.#onTheWayBack.add(back);
  }

  counts(): PoolCounts | undefined {
    return countsOf(this.pool);
  }

  async end(): Promise<void> {
    await Promise.all(this.#onTheWayBack);
  }

  async #restore(client: pg.PoolClient): Promise<void> {
    try {
      const change = { ...this.#change, values: this.#before.get(client) ?? [] };
      await run(client, [change], this.runtime.connectionTimeoutMs);
      this.#release(client, false);
    } catch {
      // Destroyed, because the host must not get it with another role.
      this.#release(client, true);
    }
  }

  #release(client: pg.PoolClient, broken: boolean): void {
    client.off("error", this.#broken);
    client.release(broken);
  }
}

const CHECK = step("select current_user::text");

function step(text: string): Step {
  return { text, values: [], name: statementName(text) };
}

/** Runs prepared statements in one round trip. */
function run(client: pg.PoolClient, steps: readonly Step[], timeoutMs: number): Promise<readonly Answer[]> {
  const batch = new PipelinedBatch(steps, connectionState(client).prepared);
  client.query(batch);
  return withDeadline(client, timeoutMs, batch.answers);
}
