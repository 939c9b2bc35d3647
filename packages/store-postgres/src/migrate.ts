import {
  type Applied,
  type ConsoleView,
  checksumOf,
  type Migration,
  pendingMigrations,
  statementsOf,
} from "@reeve/store-sql";
import pg from "pg";
import { type ConsoleNames, createConsoleViews, hasConsoleViews } from "./console-views.js";
import { tableDialect } from "./dialect.js";
import { storeError } from "./errors.js";
import { createRuntimeRole, grantTables } from "./roles.js";

/** An arbitrary number for the advisory lock. */
const LOCK = 7_233_331;

const TABLE = `CREATE TABLE IF NOT EXISTS reeve_migrations (
  number integer PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
)`;

export interface MigrateOptions {
  readonly url: string;
  readonly runtimeRole: string;
  readonly connectionTimeoutMs: number;
  /** The SQL console to make, where there is to be one. */
  readonly console?: { readonly names: ConsoleNames; readonly views: readonly ConsoleView[] };
  readonly onNotice: (message: string) => void;
}

/**
 * Runs the missing migrations, each in its own transaction under an advisory lock. A process that dies leaves no lock,
 * and a second process finds nothing to do.
 */
export async function migrateDatabase(known: readonly Migration[], options: MigrateOptions): Promise<void> {
  const client = new pg.Client({
    connectionString: options.url,
    connectionTimeoutMillis: options.connectionTimeoutMs,
  });
  // An error event without a listener would end the process. The next statement reports the broken connection.
  client.on("error", () => {});
  try {
    await client.connect();
    if (!(await isComplete(client, known, options.runtimeRole))) {
      await prepare(client, options);
      for (let more = true; more; )
        more = await inTransaction(client, () => runNext(client, known, options.runtimeRole));
    }
    if (options.console) await prepareConsole(client, options.console);
  } catch (error) {
    throw storeError(error);
  } finally {
    // What was to be done is committed or has thrown; a connection that cannot say goodbye is closed anyway.
    await client.end().catch(() => undefined);
  }
}

/** What was run on this database, oldest first. */
export async function appliedMigrations(client: Pick<pg.ClientBase, "query">): Promise<readonly Applied[]> {
  const { rows } = await client.query<Applied>("select number, checksum from reeve_migrations order by number");
  return rows;
}

/** A first read spares an up-to-date database the lock. */
async function isComplete(client: pg.Client, known: readonly Migration[], role: string): Promise<boolean> {
  const { rows } = await client.query<{ made: boolean }>(
    "select to_regclass('reeve_migrations') is not null as made, exists (select from pg_roles where rolname = $1) as role",
    [role],
  );
  if (!rows[0]?.made) return false;
  if (pendingMigrations(known, await appliedMigrations(client), tableDialect).length > 0) return false;
  const granted = await client.query(
    "select from pg_roles where rolname = $1 and has_table_privilege(oid, 'chain_heads', 'insert')",
    [role],
  );
  return granted.rowCount === 1;
}

/** What each may do by itself or not at all: the ledger, the role, and the extension that search is better with. */
async function prepare(client: pg.Client, { runtimeRole, onNotice }: MigrateOptions): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(TABLE);
    await createRuntimeRole(client, runtimeRole);
  });
  try {
    await inTransaction(client, () => client.query("CREATE EXTENSION IF NOT EXISTS pg_trgm"));
  } catch {
    onNotice("the extension pg_trgm cannot be made: search looks at the newest rows only");
  }
}

async function prepareConsole(client: pg.Client, { names, views }: Required<MigrateOptions>["console"]): Promise<void> {
  if (await hasConsoleViews(client, names, views)) return;
  await inTransaction(client, async () => {
    // Another process may have made them while this one waited for the lock.
    if (!(await hasConsoleViews(client, names, views))) await createConsoleViews(client, names, views);
  });
}

/** Runs the oldest migration that is missing, if one is; the grants are made with the last. */
async function runNext(client: pg.Client, known: readonly Migration[], role: string): Promise<boolean> {
  const [next, ...rest] = pendingMigrations(known, await appliedMigrations(client), tableDialect);
  if (next) {
    for (const statement of statementsOf(next, tableDialect)) await client.query(statement);
    const values = [next.number, next.name, checksumOf(next, tableDialect)];
    await client.query("insert into reeve_migrations (number, name, checksum) values ($1, $2, $3)", values);
  }
  if (rest.length > 0) return true;
  await grantTables(
    client,
    role,
    known.flatMap((migration) => migration.tables),
  );
  return false;
}

async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    await client.query("select pg_advisory_xact_lock($1)", [LOCK]);
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    // The first error says why; a connection that cannot roll back is lost, and with it the transaction.
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}
