import { StoreError } from "@reeve/core/store";
import pg from "pg";

/** What a store needs of a `pg.Pool`, of whichever copy of the driver. */
export interface HostPool {
  connect(): Promise<unknown>;
  readonly options: object;
  readonly ending: boolean;
}

/** Where a database is: its URL, or a pool of the host's that leads there. */
export type Source = string | HostPool;

/** Throws a `TypeError` unless it is told of one database in one way. */
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

/** The failure of asking a pool that its host has closed. */
export function poolClosed(): StoreError {
  return new StoreError("unavailable", "the pool that the store was given is closed");
}

/** How to open a connection of one's own. A pool keeps its password from being enumerated. */
export function configOf(source: Source, timeoutMs: number): pg.ClientConfig {
  const base: pg.ClientConfig =
    typeof source === "string"
      ? { connectionString: source }
      : { ...source.options, ...secretsOf(source.options as pg.ClientConfig) };
  return { ...base, connectionTimeoutMillis: timeoutMs };
}

function secretsOf({ password }: pg.ClientConfig): pg.ClientConfig {
  return password === undefined ? {} : { password };
}

/** Who logs in there. */
export function loginOf(source: Source): string | undefined {
  return new pg.Client(configOf(source, 0)).user;
}
