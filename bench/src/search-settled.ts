import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";

const PATIENCE_MS = 60_000;

/** Waits until the store of a SQLite file has indexed every record for searches, which it does after commits. */
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
