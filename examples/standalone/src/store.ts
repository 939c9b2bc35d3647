import type { Logger, Store } from "@reeve/core";
import { createPostgresStore } from "@reeve/store-postgres";
import { createSqliteStore } from "@reeve/store-sqlite";
import type { StoreSetting } from "./settings.js";

export function openStore(setting: StoreSetting, logger: Logger): Store {
  return setting.kind === "sqlite"
    ? createSqliteStore({ file: setting.file })
    : createPostgresStore({
        url: setting.url,
        logger,
        ...(setting.consoleUrl ? { consoleUrl: setting.consoleUrl } : {}),
      });
}

/** The store as a person would name it; never with a password. */
export function storeName(setting: StoreSetting): string {
  if (setting.kind === "sqlite") return `the SQLite file ${setting.file}`;
  const { host, pathname } = new URL(setting.url);
  return `PostgreSQL at ${host}${pathname}`;
}
