import { StoreError } from "@reeve/core/store";
import { pendingMigrations, tablesOf } from "@reeve/store-sql";
import type pg from "pg";
import { tableDialect } from "../statement/dialect.js";
import {
  checkCluster,
  checkUnused,
  clusterStatements,
  hasCluster,
  type Placed,
  placedTables,
  tableStatements,
} from "./distribution.js";
import { appliedMigrations, unfinishedBackfills } from "./ledger.js";
import { connected, inTransaction, type MigrateOptions } from "./owner.js";

/** Reads which tables are distributed, and changes nothing. */
export function readDistribution(options: MigrateOptions): Promise<readonly Placed[]> {
  return connected(options.dialer, (client) => placed(client, options));
}

/** Distributes the tables that are not yet. `told` hears of each that is done. */
export async function distributeDatabase(options: MigrateOptions, told: (placed: Placed) => void): Promise<void> {
  await connected(options.dialer, async (client) => {
    await placed(client, options);
    await checkMigrated(client, options);
    await checkUnused(client);
    await distributeAll(client, options, told);
  });
}

/** The SQL that is left to run; empty when nothing is. */
export async function distributionScript(options: MigrateOptions): Promise<string> {
  return connected(options.dialer, async (client) => {
    await checkMigrated(client, options);
    const open = (await placed(client, options)).filter(({ isDone }) => !isDone);
    if (open.length === 0) return "";
    const blocks = open.map((table) => ["BEGIN", ...tableStatements(table), "COMMIT"]);
    const all = [...clusterStatements(options, tablesOf(options.migrations)), ...blocks.flat()];
    return all.map((sql) => `${options.namespace.text(sql)};\n`).join("");
  });
}

/** Distributes what migrations have added to a database that is distributed. */
export async function distributeRest(client: pg.Client, options: MigrateOptions): Promise<void> {
  if (!(await hasCluster(client))) return;
  const tables = await placed(client, options);
  if (tables.every(({ isDone, placement }) => placement === "local" || !isDone)) return;
  if (tables.some(({ isDone }) => !isDone)) await distributeAll(client, options, () => undefined);
}

async function distributeAll(
  client: pg.Client,
  options: MigrateOptions,
  told: (placed: Placed) => void,
): Promise<void> {
  await checkCluster(client);
  const { namespace } = options;
  for (const sql of clusterStatements(options, tablesOf(options.migrations))) await client.query(namespace.text(sql));
  for (const table of (await placed(client, options)).filter(({ isDone }) => !isDone)) {
    await inTransaction(client, options, async () => {
      // Another process may have done it during the wait for the lock.
      const now = await placed(client, options);
      if (now.find((each) => each.table === table.table)?.isDone) return;
      for (const sql of tableStatements(table)) await client.query(namespace.text(sql));
    });
    told({ ...table, isDone: true });
  }
}

function placed(client: pg.Client, options: MigrateOptions): Promise<readonly Placed[]> {
  return placedTables(client, options.namespace, tablesOf(options.migrations));
}

/** Throws for a database with missing migrations or unfinished backfills, whose tables would change once distributed. */
async function checkMigrated(client: pg.Client, options: MigrateOptions): Promise<void> {
  const applied = await appliedMigrations(client, options.namespace);
  const isOpen = pendingMigrations(options.migrations, applied, tableDialect).length > 0;
  if (isOpen || (await unfinishedBackfills(client, options.namespace)).length > 0)
    throw new StoreError("schema", "the database has missing migrations or backfills: migrate it first");
}
