import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ControlPlaneConfig } from "@reeve/core";
import { createPostgresStore } from "@reeve/store-postgres";
import { createSqliteStore } from "@reeve/store-sqlite";
import { createDatabase } from "@reeve/testkit/postgres";
import { inject } from "vitest";
import { type Database, openPostgres, openSqlite } from "../../src/database.js";

/** A database of the shop that also has Reeve's tables. */
export interface ShopDatabase {
  readonly database: Database;
  /** A store with its own connections. */
  ownStore(): ControlPlaneConfig["store"];
  drop(): Promise<void>;
}

export const stores: Readonly<Record<"SQLite" | "PostgreSQL", () => Promise<ShopDatabase>>> = {
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), "reeve-shop-"));
    const file = join(folder, "shop.sqlite");
    const database = openSqlite(file);
    const drop = async () => {
      await database.close();
      rmSync(folder, { recursive: true });
    };
    return { database, ownStore: () => createSqliteStore({ file }), drop };
  },
  async PostgreSQL() {
    const { url, drop: dropDatabase } = await createDatabase(inject("postgresUrl"));
    const database = openPostgres(url);
    const drop = async () => {
      await database.close();
      await dropDatabase();
    };
    return { database, ownStore: () => createPostgresStore({ url }), drop };
  },
};
