import { type Logger, StoreError } from "@reeve/core/store";
import pg from "pg";
import { type HostPool, poolClosed } from "./connection.js";
import { connectionState } from "./connection-state.js";
import { type Connections, type RuntimeSettings, type Setting, settingsOf } from "./own-pool.js";

/**
 * Connections of a host's pool. Each is made to act as the runtime role before anything is run on it, and is as it was when the
 * host gets it back: one round trip before, and one after, which nobody waits for.
 */
export class BorrowedPool implements Connections {
  readonly #change: string;
  readonly #before = new WeakMap<pg.PoolClient, readonly Setting[]>();
  readonly #onTheWayBack = new Set<Promise<void>>();
  readonly #broken: (error: Error) => void;

  constructor(
    private readonly pool: HostPool,
    private readonly runtime: RuntimeSettings,
    private readonly logger: Logger,
  ) {
    const settings = settingsOf(runtime);
    const names = settings.map(([name]) => `current_setting('${name}') as ${name}`);
    this.#change = `select ${names.join(", ")}; ${setting(settings)}; select current_user as role`;
    this.#broken = (error) => logger.warn({ error: error.message }, "a database connection broke");
  }

  async connect(): Promise<pg.PoolClient> {
    if (this.pool.ending) throw poolClosed();
    const client = (await this.pool.connect()) as pg.PoolClient;
    if ((client as Partial<pg.Client>).connection === undefined) {
      client.release();
      throw new StoreError("schema", "pool: the JavaScript client of pg is needed, not the native one");
    }
    const state = connectionState(client);
    // A connection that breaks while it is lent raises an error event, which would end the process without a listener.
    client.on("error", this.#broken);
    try {
      const [found, , checked] = (await client.query(this.#change)) as unknown as pg.QueryResult[];
      const role: unknown = checked?.rows[0]?.role;
      if (role !== this.runtime.runtimeRole) throw new StoreError("schema", `requests would run as ${role}`);
      this.#before.set(client, Object.entries(found?.rows[0] ?? {}));
    } catch (error) {
      this.#release(client, true);
      throw error;
    }
    if (!state.inTransaction) return client;
    this.logger.warn({}, "the pool lent a connection with an open transaction; it is closed");
    this.#release(client, true);
    return this.connect();
  }

  giveBack(client: pg.PoolClient, broken: boolean): void {
    if (broken) {
      this.#release(client, true);
      return;
    }
    const back = this.#restore(client).finally(() => this.#onTheWayBack.delete(back));
    this.#onTheWayBack.add(back);
  }

  async end(): Promise<void> {
    await Promise.all(this.#onTheWayBack);
  }

  async #restore(client: pg.PoolClient): Promise<void> {
    try {
      await client.query(setting(this.#before.get(client) ?? []));
      this.#release(client, false);
    } catch {
      // Nobody may get it as somebody else.
      this.#release(client, true);
    }
  }

  #release(client: pg.PoolClient, broken: boolean): void {
    client.off("error", this.#broken);
    client.release(broken);
  }
}

function setting(settings: readonly Setting[]): string {
  const calls = settings.map(([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, false)`);
  return `select ${calls.join(", ")}`;
}
