import { StoreError } from "@reeve/core/store";
import { type Migration, pendingMigrations, statementsOf } from "@reeve/store-sql";
import pg from "pg";
import { consoleStatements, hasConsoleViews } from "./console-views.js";
import { tableDialect } from "./dialect.js";
import { stateOf, storeError } from "./errors.js";
import { type Facts, type Installation, readFacts } from "./facts.js";
import { grantStatements } from "./grants.js";
import { appliedMigrations, LEDGER, ledgerRow } from "./ledger.js";
import { checkPermitted, checkSchema, missingSetUp, type SetUp } from "./set-up.js";

/** An arbitrary number for the advisory locks: of the whole database, and of one schema. */
const LOCK = 7_233_331;
const WITHOUT_TRIGRAMS = "the extension pg_trgm cannot be made: search looks at the newest rows only";

export interface MigrateOptions extends Installation {
  /** How to connect as the owner of the tables. */
  readonly connection: pg.ClientConfig;
  readonly migrations: readonly Migration[];
  readonly onNotice: (message: string) => void;
}

/**
 * Runs the missing migrations, each in its own transaction under an advisory lock; what they need beside tables is made with the
 * first. A process that dies leaves no lock, and a second process finds nothing to do.
 */
export async function migrateDatabase(options: MigrateOptions): Promise<void> {
  await connected(options.connection, async (client) => {
    const facts = await readFacts(client, options);
    if (!(await isComplete(client, options, facts))) {
      checkPermitted(options, facts);
      if (facts.trigrams === "none") options.onNotice(WITHOUT_TRIGRAMS);
      for (let more = true; more; ) more = await inTransaction(client, options, () => runNext(client, options));
    }
    if (options.console) await prepareConsole(client, options, options.console);
  });
}

/** What `migrateDatabase` would run, as one text; empty when there is nothing to do. Whoever runs it owns what it makes. */
export async function migrationScript(options: MigrateOptions): Promise<string> {
  return connected(options.connection, async (client) => {
    // Somebody else may run it, so nothing is made of what this user may or has.
    const facts = { ...(await readFacts(client, options)), isSuperuser: false, memberOf: [] };
    const done = await isComplete(client, options, facts);
    const { names, views } = options.console ?? {};
    const viewed = !names || !views || (await hasConsoleViews(client, names, views));
    if (done && viewed) return "";
    const pending = await pendingOn(client, options, facts);
    const statements = [
      ...missingSetUp(options, facts, "CURRENT_USER").map(guarded),
      ...(done ? [] : [LEDGER, ...pending.flatMap(stepsOf), ...grantsOf(options)]),
      ...(viewed ? [] : consoleStatements(options.namespace, names, views)),
    ];
    const all = ["BEGIN", ...statements.map((sql) => options.namespace.text(sql)), "COMMIT"];
    return all.map((sql) => `${sql};\n`).join("");
  });
}

function stepsOf(migration: Migration): readonly string[] {
  return [...statementsOf(migration, tableDialect), ledgerRow(migration)];
}

async function connected<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  // An error event without a listener would end the process. The next statement reports the broken connection.
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw storeError(error);
  } finally {
    // What was to be done is committed or has thrown; a connection that cannot say goodbye is closed anyway.
    await client.end().catch(() => undefined);
  }
}

/** A first read spares an up-to-date database the lock. */
async function isComplete(client: pg.Client, options: MigrateOptions, facts: Facts): Promise<boolean> {
  checkSchema(options, facts);
  return facts.isGranted && !facts.loginLacksRole && (await pendingOn(client, options, facts)).length === 0;
}

async function pendingOn(client: pg.Client, options: MigrateOptions, facts: Facts): Promise<readonly Migration[]> {
  const applied = facts.ledger.length > 0 ? await appliedMigrations(client, options.namespace) : [];
  return pendingMigrations(options.migrations, applied, tableDialect);
}

async function prepareConsole(
  client: pg.Client,
  options: MigrateOptions,
  { names, views }: NonNullable<Installation["console"]>,
): Promise<void> {
  if (await hasConsoleViews(client, names, views)) return;
  checkPermitted(options, await readFacts(client, options));
  await inTransaction(client, options, async () => {
    // Another process may have made them while this one waited for the lock.
    if (await hasConsoleViews(client, names, views)) return;
    await setUp(client, options);
    for (const sql of consoleStatements(options.namespace, names, views))
      await client.query(options.namespace.text(sql));
  });
}

/** Runs the oldest migration that is missing, if one is; the grants are made with the last. */
async function runNext(client: pg.Client, options: MigrateOptions): Promise<boolean> {
  const { namespace } = options;
  const facts = await setUp(client, options);
  const [next, ...rest] = await pendingOn(client, options, facts);
  const grants = rest.length > 0 ? [] : grantsOf(options);
  for (const sql of [LEDGER, ...(next ? stepsOf(next) : []), ...grants]) await client.query(namespace.text(sql));
  return rest.length > 0;
}

/** Makes what is missing beside tables, under the lock. */
async function setUp(client: pg.Client, options: MigrateOptions): Promise<Facts> {
  const facts = await readFacts(client, options);
  for (const step of missingSetUp(options, facts, "CURRENT_USER")) {
    await client.query("savepoint made");
    try {
      await client.query(guarded(step));
    } catch (error) {
      if (!step.optional) throw error;
      await client.query("rollback to made");
      options.onNotice(WITHOUT_TRIGRAMS);
    }
  }
  return facts;
}

function guarded({ sql, shared }: SetUp): string {
  if (!shared) return sql;
  return `DO $do$ BEGIN\n  ${sql};\nEXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;\nEND $do$`;
}

function grantsOf({ namespace, migrations, runtimeRole }: MigrateOptions): readonly string[] {
  const specs = migrations.flatMap((migration) => migration.tables);
  return grantStatements(namespace, runtimeRole, specs);
}

function lockOf({ namespace: { schema } }: Installation): string {
  return `SELECT pg_advisory_xact_lock(${LOCK}, hashtext(${pg.escapeLiteral(schema)}))`;
}

async function inTransaction<T>(client: pg.Client, installation: Installation, work: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    await client.query(lockOf(installation));
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    // The first error says why; a connection that cannot roll back is lost, and with it the transaction.
    await client.query("rollback").catch(() => undefined);
    throw stateOf(error) === "42P07" ? occupied(installation, error as Error) : error;
  }
}

function occupied({ namespace: { schema } }: Installation, error: Error): StoreError {
  return new StoreError(
    "schema",
    `the schema "${schema}" holds something of a name that Reeve needs: ${error.message}`,
    {
      cause: error,
    },
  );
}
