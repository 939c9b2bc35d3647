import { setTimeout as sleep } from "node:timers/promises";
import { type BackfillStatus, StoreError } from "@reeve/core/store";
import { type Backfill, type BackfillDatabase, indexStatements, type Run } from "@reeve/store-sql";
import pg from "pg";
import { LOCK_TENANT } from "../connect/steps.js";
import { dialect, tableDialect } from "../statement/dialect.js";
import { stateOf } from "../statement/errors.js";
import { qualified } from "../statement/namespace.js";
import { numbered } from "../statement/numbered.js";
import { SET_TENANT } from "../statement/tenant.js";
import type { Installation } from "./facts.js";
import { patiently, TABLE_LOCK_MS } from "./table-locks.js";

/** Arbitrary number of the advisory lock on building indexes. */
const INDEX_LOCK = 7_233_332;
const WAIT_MS = 250;

/** A chunk seeks its rows by index. Statistics are of before the backfill, so the planner would read the whole table. */
const ALONG_INDEXES = [
  "enable_seqscan",
  "enable_bitmapscan",
  "enable_hashjoin",
  "enable_mergejoin",
  "enable_sort",
  "jit",
]
  .map((setting) => `set local ${setting} = off`)
  .join("; ");

/** Creates the table of backfills, which belongs to the ledger of migrations. */
export const BACKFILLS = `CREATE TABLE IF NOT EXISTS "reeve".backfills (
  name text PRIMARY KEY,
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  done bigint NOT NULL DEFAULT 0,
  total bigint,
  after_tenant text COLLATE "C",
  after_id text COLLATE "C",
  holder text,
  held_until bigint NOT NULL DEFAULT 0,
  finished_at bigint
)`;

/** All backfills, oldest first, as JSON. */
export const BACKFILL_STATUS = `(select coalesce(json_agg(json_build_array(b.name, b.done, coalesce(b.total, 0), b.finished_at is not null)
  order by b.registered_at, b.name), '[]')::text from "reeve".backfills b)`;

export function backfillStatus(text: string): readonly BackfillStatus[] {
  const rows = JSON.parse(text) as readonly [string, number, number, boolean][];
  return rows.map(([name, done, total, finished]) => ({ name, done, total, finished }));
}

/** Backfills on a connection of the tables' owner. */
export function postgresBackfills(
  client: pg.ClientBase,
  { namespace }: Installation,
  waitMs: number,
): BackfillDatabase {
  const run: Run = async (sql, values = []) => {
    const text = namespace.text(numbered(sql));
    return (await client.query({ text, values: [...values], rowMode: "array" })).rows;
  };
  const transaction = async <T>(work: (run: Run) => Promise<T>, lockMs = waitMs): Promise<T> => {
    await client.query("begin");
    try {
      await client.query(`set local lock_timeout = ${lockMs}; ${ALONG_INDEXES}`);
      const result = await work(run);
      await client.query("commit");
      return result;
    } catch (error) {
      await client.query("rollback").catch(() => undefined);
      throw error;
    }
  };
  /** Makes or drops a policy where that is missing, because even a change of nothing keeps all others off the table. */
  const policy = async (
    does: "create" | "drop",
    { name: of, reshape }: Backfill,
    renew: (run: Run) => Promise<void> = async () => undefined,
  ) => {
    // The last migration of a shape counts, and a tenant may have counters and no row.
    const tables = reshape.settles === "shape" ? [reshape.table, "counters"] : [reshape.table];
    try {
      const change = async () => {
        await renew(run);
        // Its name is the backfill's, because another one may count at the same time, and a late end is of one alone.
        const name = `backfill ${of}`;
        const there = await run(
          "select tablename::text, current_user = any(roles) from pg_policies where schemaname = ? and policyname = ?::name",
          [namespace.schema, name],
        );
        const isOwn = new Map(there.map(([table, own]) => [table, own as boolean]));
        for (const table of tables) {
          const on = `${pg.escapeIdentifier(name)} ON ${qualified(table)}`;
          const [is, own] = [isOwn.has(table), isOwn.get(table) === true];
          // One that another owner has left shows this one no rows.
          if (is && (does === "drop" || !own)) await run(`DROP POLICY ${on}`);
          if (does === "create" && !own) await run(`CREATE POLICY ${on} TO CURRENT_USER USING (true)`);
        }
      };
      await patiently(waitMs, (leftMs) => transaction(change, Math.min(leftMs, TABLE_LOCK_MS)));
    } catch (error) {
      throw stateOf(error) === "42501" ? notOwner(reshape.table, error) : error;
    }
  };
  return {
    transaction: (work) => transaction(work),
    table: qualified,
    encode: (value) => value,
    clock: "floor(extract(epoch from clock_timestamp()) * 1000)::bigint",
    // A row that a transaction holds is left to the next pass, so that a chunk never waits for one.
    locking: " for update skip locked",
    async lock(run, tenantId) {
      for (const sql of [SET_TENANT, LOCK_TENANT]) await run(sql.replace("$1", "?"), [tenantId]);
    },
    // A build outlasts the lease. Whoever takes that over waits here and not for the table, where all others would wait behind.
    begin: (backfill, renew) =>
      underIndexLock(run, namespace.schema, async () => {
        // Row-level security binds the owner too. Nobody else can take that role.
        await policy("create", backfill, renew);
        for (const sql of indexStatements(backfill.reshape, tableDialect)) await buildIndex(run, namespace.schema, sql);
      }),
    end: (backfill) => policy("drop", backfill),
    async write(_run, table, columns, rows) {
      const { rows: typed } = await client.query<{ name: string; type: string }>(
        "select attname::text as name, format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = $1::regclass",
        [namespace.text(qualified(table))],
      );
      const types = new Map(typed.map(({ name, type }) => [name, type]));
      const lists = [
        ...[rows.map((row) => row.tenantId), rows.map((row) => row.id), rows.map((row) => row.version)],
        ...columns.map((_, at) => rows.map(({ values }) => values[at])),
      ];
      const kinds = ["text", "text", "integer", ...columns.map((column) => types.get(column) ?? "text")];
      const slots = kinds.map((kind, at) => `$${at + 1}::${kind}[]`).join(", ");
      const names = columns.map((_, at) => `c${at}`);
      const set = columns.map((column, at) => `"${column}" = u.c${at}`).join(", ");
      await client.query(
        namespace.text(`update ${qualified(table)} t set ${set}
  from unnest(${slots}) as u(tenant_id, id, version, ${names.join(", ")})
  where t.tenant_id = u.tenant_id and t.id = u.id and t.version = u.version and ${dialect.isThere("t")}`),
        lists,
      );
    },
  };
}

/**
 * Runs work of one process at a time, which asks for the lock again and again, because the build of an index waits for
 * each transaction that waits for a lock.
 */
async function underIndexLock(run: Run, schema: string, work: () => Promise<void>): Promise<void> {
  const lock = `(${INDEX_LOCK}, hashtext(${pg.escapeLiteral(schema)}))`;
  while ((await run(`select pg_try_advisory_lock${lock}`))[0]?.[0] !== true) await sleep(WAIT_MS);
  try {
    await work();
  } finally {
    await run(`select pg_advisory_unlock${lock}`);
  }
}

/** Builds an index while others write. A build that was broken off leaves an index that is not valid. */
async function buildIndex(run: Run, schema: string, sql: string): Promise<void> {
  const name = /^CREATE (?:UNIQUE )?INDEX "([^"]+)"/.exec(sql)?.[1] ?? "";
  const [known] = await run(
    "select i.indisvalid from pg_class c join pg_index i on i.indexrelid = c.oid join pg_namespace n on n.oid = c.relnamespace where n.nspname = ? and c.relname = ?",
    [schema, name],
  );
  if (known?.[0] === true) return;
  if (known) await run(`DROP INDEX CONCURRENTLY ${qualified(name)}`);
  await run(sql.replace(" INDEX ", " INDEX CONCURRENTLY "));
}

/** The error of a login that may not fill a table. */
export function notOwner(table: string, cause?: unknown): StoreError {
  const why = "only the owner of the tables can fill it: run `reeve migrate` with `migrationUrl`";
  return new StoreError("schema", `the table ${table} has rows of an earlier shape, and ${why}`, { cause });
}
