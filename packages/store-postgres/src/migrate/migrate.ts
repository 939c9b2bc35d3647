import { StoreError } from "@reeve/core/store";
import {
  type Backfill,
  backfillsOf,
  type Migration,
  pendingMigrations,
  runBackfill,
  statementsOf,
  tablesOf,
} from "@reeve/store-sql";
import type pg from "pg";
import { grantStatements } from "../connect/grants.js";
import { consoleStatements, hasConsoleViews } from "../statement/console-views.js";
import { tableDialect } from "../statement/dialect.js";
import { stateOf } from "../statement/errors.js";
import { BACKFILLS, notOwner, postgresBackfills } from "./backfills.js";
import { distributeRest } from "./distribute.js";
import { hasCluster } from "./distribution.js";
import { type Facts, type Installation, readFacts } from "./facts.js";
import { appliedMigrations, LEDGER, ledgerRows, unfinishedBackfills } from "./ledger.js";
import { connected, inTransaction, type MigrateOptions } from "./owner.js";
import { markStatement } from "./restored.js";
import { checkPermitted, checkSchema, missingSetUp, type SetUp } from "./set-up.js";

/** In one transaction a cluster does not change its functions once it has changed several shards of a table at a time. */
const ONE_BY_ONE = "SET LOCAL citus.multi_shard_modify_mode = 'sequential'";
const WITHOUT_TRIGRAMS =
  "the extensions pg_trgm and btree_gin cannot be made: search is slower, and looks at the newest rows only without pg_trgm";

/**
 * Runs missing migrations, each in its own transaction under an advisory lock and followed by its backfills. The first
 * one also creates roles, schema and extensions. A process that dies leaves no lock, and a concurrent one finds nothing
 * to do.
 */
export async function migrateDatabase(options: MigrateOptions): Promise<void> {
  await connected(options.dialer, async (client) => {
    const facts = await readFacts(client, options);
    if (!(await isComplete(client, options, facts))) {
      const [unfinished] = await unfinishedOn(client, options, facts);
      if (unfinished && !facts.ownsSchema) throw notOwner(unfinished.reshape.table);
      checkPermitted(options, facts);
      if (![...facts.extensions, ...facts.possibleExtensions].includes("pg_trgm")) options.onNotice(WITHOUT_TRIGRAMS);
      for (let more = true; more; ) {
        more = await inTransaction(client, options, () => runNext(client, options));
        await runBackfills(client, options);
      }
    }
    if (options.console) await prepareConsole(client, options, options.console);
    await distributeRest(client, options);
  });
}

/** Errors of a database that was not migrated yet: no table, no schema, no role, and a role that the login may not take. */
const UNMADE = /^(42P01|3F000|22023|42501)$/;

/** Whether an error says that the database holds no table of the store. Throws `schema` where others have its schema. */
export async function isUnmade(error: unknown, options: MigrateOptions): Promise<boolean> {
  const state = stateOf(StoreError.is(error) ? error.cause : error);
  if (state === undefined || !UNMADE.test(state)) return false;
  const facts = await connected(options.dialer, (client) => readFacts(client, options));
  checkSchema(options, facts);
  return facts.ledger.length === 0;
}

/** Marks the database as restored from a backup, or takes the mark away. Needs the right to create schemas. */
export async function markRestored(options: MigrateOptions, restored: boolean): Promise<void> {
  const statement = markStatement(options.namespace, restored);
  try {
    await connected(options.dialer, (client) => client.query(statement));
  } catch (error) {
    if (stateOf(error) !== "42501") throw error;
    throw new StoreError("schema", `this login may not: ${statement}; the login that restored the database may`, {
      cause: error,
    });
  }
}

/**
 * The SQL that the missing migrations are; empty when none is missing. Whoever runs it owns the tables. Their backfills
 * and the indexes of tables with rows are left to `migrate`.
 */
export async function migrationScript(options: MigrateOptions): Promise<string> {
  return connected(options.dialer, async (client) => {
    // Ignores the rights of this user, because another one may run the script.
    const facts = { ...(await readFacts(client, options)), isSuperuser: false, memberOf: [] };
    const done = await isComplete(client, options, facts);
    const { names, views } = options.console ?? {};
    const viewed = !names || !views || (await hasConsoleViews(client, names, views));
    if (done && viewed) return "";
    const pending = await pendingOn(client, options, facts);
    const statements = [
      ...missingSetUp(options, facts, "CURRENT_USER").map(guarded),
      ...(done ? [] : [LEDGER, BACKFILLS, ...pending.flatMap(stepsOf), ...grantsOf(options)]),
      ...(viewed ? [] : consoleStatements(options.namespace, names, views)),
    ];
    const all = ["BEGIN", ...statements.map((sql) => options.namespace.text(sql)), "COMMIT"];
    return all.map((sql) => `${sql};\n`).join("");
  });
}

function stepsOf(migration: Migration): readonly string[] {
  return [...statementsOf(migration, tableDialect), ...ledgerRows(migration)];
}

/** A first read spares an up-to-date database the lock. */
async function isComplete(client: pg.Client, options: MigrateOptions, facts: Facts): Promise<boolean> {
  checkSchema(options, facts);
  if (!facts.isGranted || facts.loginLacksRole || (await pendingOn(client, options, facts)).length > 0) return false;
  return (await unfinishedOn(client, options, facts)).length === 0;
}

/** The unfinished backfills of migrations that this code knows, in order. */
async function unfinishedOn(client: pg.Client, options: MigrateOptions, facts: Facts): Promise<readonly Backfill[]> {
  const backfills = backfillsOf(options.migrations);
  if (backfills.length === 0 || !facts.relations.includes("backfills")) return [];
  const names = await unfinishedBackfills(client, options.namespace);
  return backfills.filter(({ name }) => names.includes(name));
}

async function runBackfills(client: pg.Client, options: MigrateOptions): Promise<void> {
  const database = postgresBackfills(client, options, options.waitMs);
  for (const backfill of await unfinishedOn(client, options, await readFacts(client, options)))
    await runBackfill(database, backfill, options.logger);
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
    // Another process may have created them during the wait for the lock.
    if (await hasConsoleViews(client, names, views)) return;
    await setUp(client, options);
    for (const sql of consoleStatements(options.namespace, names, views))
      await client.query(options.namespace.text(sql));
  });
}

/**
 * Runs the oldest missing migration, unless a backfill before it is not finished. The last one also makes the grants.
 * `false` when none is missing after it.
 */
async function runNext(client: pg.Client, options: MigrateOptions): Promise<boolean> {
  const { namespace } = options;
  const facts = await setUp(client, options);
  if ((await unfinishedOn(client, options, facts)).length > 0) return true;
  const [next, ...rest] = await pendingOn(client, options, facts);
  const grants = rest.length > 0 ? [] : grantsOf(options);
  for (const sql of [LEDGER, BACKFILLS, ...(next ? stepsOf(next) : []), ...grants])
    await client.query(namespace.text(sql));
  return rest.length > 0;
}

/** Creates missing roles, schema and extension, under the lock. */
async function setUp(client: pg.Client, options: MigrateOptions): Promise<Facts> {
  if (await hasCluster(client)) await client.query(ONE_BY_ONE);
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

export function guarded({ sql, shared }: SetUp): string {
  if (!shared) return sql;
  return `DO $do$ BEGIN\n  ${sql};\nEXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;\nEND $do$`;
}

function grantsOf({ namespace, migrations, runtimeRole }: MigrateOptions): readonly string[] {
  const specs = tablesOf(migrations);
  return grantStatements(namespace, runtimeRole, specs);
}
