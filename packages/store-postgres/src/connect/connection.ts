import { StoreError } from "@reeve/core/store";
import pg from "pg";
import { connectError } from "../statement/errors.js";
import { Servers } from "./servers.js";

/** The system probes a connection after ten seconds of silence. */
export const KEEPALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** The part of a `pg.Pool` that a store uses, from any copy of the driver. */
export interface HostPool {
  connect(): Promise<unknown>;
  readonly options: object;
  readonly ending: boolean;
}

/** A database: its URL, or a pool of the host. */
export type Source = string | HostPool;

/** Throws a `TypeError` unless exactly one database is given. */
export function sourceOf({
  url,
  pool,
  pooler,
}: {
  readonly url?: string;
  readonly pool?: HostPool;
  readonly pooler?: string;
}): Source {
  if (url !== undefined && pool !== undefined) throw new TypeError("url and pool: give the store one of them");
  if (pool === undefined) {
    if (typeof url === "string" && url !== "") return url;
    throw new TypeError('url: a connection URL such as "postgres://app@localhost/app" is needed, or a `pool`');
  }
  if (pooler === "transaction")
    throw new TypeError("pool and pooler: behind a transaction pooler give the store its `url`");
  if (typeof pool?.connect === "function" && typeof pool.options === "object") return pool;
  throw new TypeError("pool: a Pool of the package pg is needed");
}

/** The error when the host has closed its pool. */
export function poolClosed(): StoreError {
  return new StoreError("unavailable", "the pool that the store was given is closed");
}

/** Opens connections of the store's own, outside of its pool. */
export class Dialer {
  readonly #servers: Servers | undefined;
  readonly #config: pg.ClientConfig;
  readonly #Client: new (
    config?: pg.ClientConfig,
  ) => pg.Client;

  constructor(source: Source, timeoutMs: number) {
    this.#servers = typeof source === "string" ? new Servers(source) : undefined;
    this.#Client = this.#servers?.clients() ?? pg.Client;
    const base =
      typeof source === "string" ? {} : { ...source.options, ...secretsOf(source.options as pg.ClientConfig) };
    this.#config = { ...base, ...KEEPALIVE, connectionTimeoutMillis: timeoutMs };
  }

  /** A client that is not connected yet. */
  client(config: pg.ClientConfig = {}): pg.Client {
    return new this.#Client({ ...this.#config, ...config });
  }

  /** A connected client of the first server that will do. Errors of the connection itself are left to its next use. */
  async connected(config?: pg.ClientConfig): Promise<pg.Client> {
    const connect = async () => {
      const client = this.client(config);
      // Without a listener an error event would end the process.
      client.on("error", () => {});
      try {
        await client.connect();
      } catch (error) {
        throw connectError(error);
      }
      return client;
    };
    return this.#servers ? this.#servers.tryEach(connect) : connect();
  }
}

/** The password of a pool is not enumerable, so it is copied by name. */
function secretsOf({ password }: pg.ClientConfig): pg.ClientConfig {
  return password === undefined ? {} : { password };
}

/** The login of a database. */
export function loginOf(source: Source): string | undefined {
  return new Dialer(source, 0).client().user;
}
