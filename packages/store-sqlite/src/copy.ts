import { anyDriver } from "./driver/choose.js";

/**
 * Copies a database to a new file while others write to it, and checks the copy. `onProgress` gets the share done, from
 * 0 to 1. Rejects when the copy is corrupt; the caller then removes the file.
 */
export async function copySqlite(
  from: string,
  to: string,
  onProgress: (share: number) => void = () => {},
): Promise<void> {
  const driver = anyDriver();
  const source = driver.open(from, { readonly: true, fileMustExist: true });
  try {
    // Each write between two steps would begin the copy anew, but for one that reads what it began with. Without a WAL
    // that would keep others from writing.
    if (source.pragma("journal_mode", { simple: true }) === "wal") {
      source.exec("begin");
      source.prepare("select count(*) from sqlite_schema").get();
    }
    await driver.copy(source, to, onProgress);
  } finally {
    source.close();
  }
  const copy = driver.open(to, { fileMustExist: true });
  try {
    const found = copy.pragma("integrity_check", { simple: true });
    if (found !== "ok") throw new Error(`the copy is not sound: ${String(found)}`);
  } finally {
    copy.close();
  }
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
