import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";

const PATIENCE_MS = 60_000;

/** Waits until a SQLite file has no record left to bring into the search index, which its store does after commits. */
export async function searchSettled(file: string, whose: string, patienceMs = PATIENCE_MS): Promise<void> {
  const db = new Sqlite(file, { readonly: true, timeout: 1_000 });
  try {
    const pending = db.prepare("select exists (select 1 from reeve_search_pending)").pluck();
    for (const end = performance.now() + patienceMs; pending.get() === 1; await sleep(20)) {
      if (performance.now() > end) throw new Error(`${whose}: search did not catch up`);
    }
  } finally {
    db.close();
  }
}
