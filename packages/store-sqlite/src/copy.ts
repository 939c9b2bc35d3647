import { anyDriver } from "./driver/choose.js";
import type { SqliteDatabase } from "./driver/driver.js";

const TABLES = `select name from pragma_table_list
  where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name`;

/**
 * Copies a database to a new file while others write to it, and checks the copy. `onProgress` gets the share done, from
 * 0 to 1. Resolves to the rows of each table. Rejects when the copy is corrupt, or has other rows than the moment that
 * was copied; the caller then removes the file.
 */
export async function copySqlite(
  from: string,
  to: string,
  onProgress: (share: number) => void = () => {},
): Promise<ReadonlyMap<string, number>> {
  const driver = anyDriver();
  const source = driver.open(from, { readonly: true, fileMustExist: true });
  let held: ReadonlyMap<string, number> | undefined;
  try {
    // Each write between two steps would begin the copy anew, but for one that reads what it began with. Without a WAL
    // that would keep others from writing.
    if (source.pragma("journal_mode", { simple: true }) === "wal") {
      source.exec("begin");
      source.prepare("select count(*) from sqlite_schema").get();
      held = rowsOf(source);
    }
    await driver.copy(source, to, onProgress);
  } finally {
    source.close();
  }
  const copy = driver.open(to, { fileMustExist: true });
  try {
    const found = copy.pragma("integrity_check", { simple: true });
    if (found !== "ok") throw new Error(`the copy is not sound: ${String(found)}`);
    const rows = rowsOf(copy);
    const lacking = [...(held ?? rows)].find(([table, count]) => rows.get(table) !== count);
    if (lacking)
      throw new Error(`the copy is not whole: ${lacking[0]} has ${rows.get(lacking[0])} rows of ${lacking[1]}`);
    return rows;
  } finally {
    copy.close();
  }
}

function rowsOf(db: SqliteDatabase): ReadonlyMap<string, number> {
  const tables = db.prepare(TABLES).raw(true).all() as [string][];
  return new Map(
    tables.map(([table]) => {
      const [count] = db
        .prepare(`select count(*) from "${table.replaceAll('"', '""')}"`)
        .raw(true)
        .get() as [number];
      return [table, count];
    }),
  );
}

/**
 * Merges the WAL of a database that nobody has open into its one file. The file can then be moved and read from
 * read-only media.
 */
export function settleSqlite(file: string): void {
  const db = anyDriver().open(file, { fileMustExist: true });
  try {
    db.pragma("journal_mode = DELETE");
  } finally {
    db.close();
  }
}
