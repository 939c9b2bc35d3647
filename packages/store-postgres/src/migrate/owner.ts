import { type Logger, StoreError } from "@reeve/core/store";
import type { Migration } from "@reeve/store-sql";
import pg from "pg";
import type { Dialer } from "../connect/connection.js";
import { stateOf, storeError } from "../statement/errors.js";
import type { Installation } from "./facts.js";
import { patiently, TABLE_LOCK_MS } from "./table-locks.js";

/** Arbitrary numbers of the advisory locks, one for the whole database and one for a schema. */
const LOCK = 7_233_331;

export interface MigrateOptions extends Installation {
  /** Connections of the owner of the tables. */
  readonly dialer: Dialer;
  readonly migrations: readonly Migration[];
  /** Maximum wait for a lock, in ms. */
  readonly waitMs: number;
  readonly logger: Logger;
  readonly onNotice: (message: string) => void;
}

/** Runs work on a connection of the owner of the tables. */
export async function connected<T>(dialer: Dialer, work: (client: pg.Client) => Promise<T>): Promise<T> {
  let client: pg.Client | undefined;
  try {
    client = await dialer.connected();
    return await work(client);
  } catch (error) {
    throw storeError(error);
  } finally {
    // The work is committed or has thrown, so a failure to close cleanly does not matter.
    await client?.end().catch(() => undefined);
  }
}

function lockOf({ namespace: { schema } }: Installation): string {
  return `SELECT pg_advisory_xact_lock(${LOCK}, hashtext(${pg.escapeLiteral(schema)}))`;
}

/** Runs work in a transaction under the lock of migrations, again while somebody holds a table. */
export async function inTransaction<T>(client: pg.Client, options: MigrateOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await patiently(options.waitMs, (leftMs) => once(client, options, leftMs, work));
  } catch (error) {
    throw migrationError(options, error);
  }
}

async function once<T>(client: pg.Client, options: MigrateOptions, waitMs: number, work: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    await client.query(`set local lock_timeout = ${waitMs}`);
    await client.query(lockOf(options));
    await client.query(`set local lock_timeout = ${Math.min(waitMs, TABLE_LOCK_MS)}`);
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    // The first error has the cause. If rolling back fails, the connection is lost and the transaction with it.
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

function migrationError({ namespace, waitMs }: MigrateOptions, error: unknown): unknown {
  const state = stateOf(error);
  if (state === "42P07") return occupied(namespace, error as Error);
  if (state !== "55P03") return error;
  return new StoreError("busy", `something else holds the schema "${namespace.schema}" for more than ${waitMs} ms`, {
    cause: error,
  });
}

function occupied({ schema }: Installation["namespace"], error: Error): StoreError {
  return new StoreError(
    "schema",
    `the schema "${schema}" holds something of a name that Reeve needs: ${error.message}`,
    {
      cause: error,
    },
  );
}
