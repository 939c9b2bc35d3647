import type { Logger } from "@reeve/core/store";
import pg from "pg";
import { KEEPALIVE } from "./connection.js";
import { PLANNING } from "./roles.js";
import { Servers } from "./servers.js";

/** A source of connections with the runtime role. */
export interface Connections {
  connect(): Promise<pg.PoolClient>;
  giveBack(client: pg.PoolClient, broken: boolean): void;
  /** What the pool counts; `undefined` where it counts nothing. */
  counts(): PoolCounts | undefined;
  /** Waits for connections that are being returned. */
  end(): Promise<void>;
}

export interface PoolCounts {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/** What pools of the driver count. That of a host may be of another version. */
export function countsOf(pool: object): PoolCounts | undefined {
  const { totalCount, idleCount, waitingCount } = pool as Partial<pg.Pool>;
  if (totalCount === undefined || idleCount === undefined || waitingCount === undefined) return undefined;
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

export interface RuntimeSettings {
  readonly runtimeRole: string;
  /** Maximum wait for a connection or a lock, in ms. */
  readonly connectionTimeoutMs: number;
  readonly statementTimeoutMs: number;
  /** Maximum wait for an answer of the server, in ms. */
  readonly answerTimeoutMs: number;
  /** Maximum idle time of a transaction, in ms. */
  readonly idleTransactionTimeoutMs: number;
}

/** How soon the server gives up a connection whose other end is gone: after about half a minute. */
const SERVER_KEEPALIVE: readonly Setting[] = [
  ["tcp_keepalives_idle", "10"],
  ["tcp_keepalives_interval", "5"],
  ["tcp_keepalives_count", "4"],
  ["tcp_user_timeout", "30000"],
];

export type Setting = readonly [name: string, value: string];

/** The settings of a connection before its first use. */
export function settingsOf(settings: RuntimeSettings): readonly Setting[] {
  return [
    ["role", settings.runtimeRole],
    ["statement_timeout", String(settings.statementTimeoutMs)],
    ["lock_timeout", String(settings.connectionTimeoutMs)],
    ["idle_in_transaction_session_timeout", String(settings.idleTransactionTimeoutMs)],
    ...SERVER_KEEPALIVE,
    ...PLANNING,
  ];
}

/** A pool of the store's own. Its connections take the runtime role as they open, which needs no extra round trip. */
export class OwnPool implements Connections {
  readonly #pool: pg.Pool;
  readonly #servers: Servers;

  constructor(
    url: string,
    settings: RuntimeSettings,
    options: { readonly size: number; readonly startUpOptions: boolean; readonly logger: Logger },
  ) {
    const started = settingsOf(settings).map(([name, value]) => `-c ${name}=${value}`);
    this.#servers = new Servers(url);
    this.#pool = new pg.Pool({
      max: options.size,
      connectionTimeoutMillis: settings.connectionTimeoutMs,
      ...KEEPALIVE,
      allowExitOnIdle: true,
      Client: this.#servers.clients(options.startUpOptions ? started.join(" ") : ""),
    });
    // An idle connection that breaks emits an error event, which would end the process without a listener.
    const broken = (error: Error) => options.logger.warn({ error: error.message }, "a database connection broke");
    this.#pool.on("error", broken);
    this.#pool.on("connect", (client) => void client.on("error", broken));
  }

  connect(): Promise<pg.PoolClient> {
    return this.#servers.tryEach(() => this.#pool.connect());
  }

  giveBack(client: pg.PoolClient, broken: boolean): void {
    client.release(broken);
  }

  counts(): PoolCounts | undefined {
    return countsOf(this.#pool);
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
