import { type BackfillStatus, StoreError } from "@reeve/core/store";
import type { BackfillDatabase, Run } from "@reeve/store-sql";
import { dialect } from "./dialect.js";
import type { SqliteDatabase } from "./driver/driver.js";
import type { GroupCommit } from "./group-commit.js";
import { databaseName, quotedName } from "./names.js";
import { retryWhileBusy } from "./retry-while-busy.js";
import type { Statements } from "./statements.js";

/** Creates the table of backfills, which belongs to the ledger of migrations. */
export const BACKFILLS = `CREATE TABLE IF NOT EXISTS reeve_backfills (
  name TEXT PRIMARY KEY,
  done INTEGER NOT NULL DEFAULT 0,
  total INTEGER,
  after_tenant TEXT,
  after_id TEXT,
  holder TEXT,
  held_until INTEGER NOT NULL DEFAULT 0,
  finished_at INTEGER
)`;

/** How often a chunk waits for the lock of other writers before the backfill stops. */
const BUSY_TRIES = 12;

const SEARCHED = "insert or ignore into reeve_search_pending (collection, tenant_id, n) select ?, tenant_id, n from";

/** Backfills on the writing connection, with no transaction of requests open. */
export function sqliteBackfills(statements: Statements, commits: GroupCommit, busyMs: number): BackfillDatabase {
  const run: Run = async (sql, values = []) => {
    const statement = statements.of(sql);
    return (statement.reader ? statement.raw(true).all(values) : []) as unknown as Awaited<ReturnType<Run>>;
  };
  return {
    table: quotedName,
    encode: dialect.encode,
    clock: "cast(unixepoch('subsec') * 1000 as integer)",
    locking: "",
    // The lock of the file is that of all tenants.
    lock: async () => undefined,
    begin: async () => undefined,
    end: async () => undefined,
    transaction: (work) =>
      commits.alone(async () => {
        await beginPatiently(statements, busyMs);
        try {
          const result = await work(run);
          statements.of("commit").run();
          return result;
        } finally {
          if (statements.db.inTransaction) statements.of("rollback").run();
        }
      }),
    async write(_run, table, columns, rows) {
      const set = columns.map((column) => `"${column}" = ?`).join(", ");
      const row = "where tenant_id = ? and id = ? and version = ? and removed_at is null";
      const update = statements.of(`update ${quotedName(table)} set ${set} ${row}`);
      const searched = columns.includes("search_text")
        ? statements.of(`${SEARCHED} ${quotedName(table)} ${row}`)
        : undefined;
      for (const { tenantId, id, version, values } of rows) {
        update.run([...values, tenantId, id, version]);
        searched?.run([table, tenantId, id, version]);
      }
    },
  };
}

/** Waits longer than a request does, because a busy writer of another process may take the lock again and again. */
async function beginPatiently(statements: Statements, busyMs: number): Promise<void> {
  for (let left = BUSY_TRIES; ; left--) {
    try {
      await retryWhileBusy(busyMs, () => statements.of("begin immediate").run());
      return;
    } catch (error) {
      if (left === 0 || !StoreError.is(error) || error.code !== "busy") throw error;
    }
  }
}

/** How far all backfills of this database are, oldest first. */
export function backfillStatus(db: SqliteDatabase): readonly BackfillStatus[] {
  const known = db.pragma(`table_info(${databaseName("backfills")})`) as readonly unknown[];
  if (known.length === 0) return [];
  const rows = db.prepare("select name, done, total, finished_at from reeve_backfills order by rowid").raw(true).all();
  return (rows as [string, number, number | null, number | null][]).map(([name, done, total, finishedAt]) => {
    return { name, done, total: total ?? 0, finished: finishedAt !== null };
  });
}
