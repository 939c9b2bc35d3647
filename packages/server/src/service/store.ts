import type { Logger, Store } from "@reeve/core";
import type { PostgresStore } from "@reeve/store-postgres";
import type { StoreSetting } from "../settings/kinds.js";
import { serversOf, socketOf } from "../settings/values.js";

export type PostgresStoreSetting = Extract<StoreSetting, { readonly kind: "postgres" }>;

/** Opens the configured store. The driver of the other one is not loaded. */
export async function openStore(setting: StoreSetting, logger: Logger): Promise<Store> {
  if (setting.kind === "sqlite") {
    const { createSqliteStore } = await import("@reeve/store-sqlite");
    return createSqliteStore({ file: setting.file, logger });
  }
  const { createPostgresStore } = await import("@reeve/store-postgres");
  const { kind, ...options } = setting;
  return createPostgresStore({ ...options, logger });
}

/** Runs work with a store on PostgreSQL, then closes it. */
export async function withPostgres<T>(
  { kind, ...options }: PostgresStoreSetting,
  logger: Logger,
  work: (store: PostgresStore) => Promise<T>,
): Promise<T> {
  const { createPostgresStore } = await import("@reeve/store-postgres");
  const store = createPostgresStore({ ...options, logger });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** A name of the store for people, without its password. */
export function storeName(setting: StoreSetting): string {
  if (setting.kind === "sqlite") return `the SQLite file ${setting.copyOf ?? setting.file}`;
  const servers = serversOf(setting.url);
  const places = servers.map((server) => socketOf(server) ?? server.host);
  return `PostgreSQL at ${places.join(",")}${servers[0]?.pathname}`;
}
