import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describeSqlConsole } from "@reeve/testkit";
import { inject } from "vitest";
import { anyDriver } from "../src/driver/choose.js";
import { createSqliteStore } from "../src/index.js";

/** Tables of the event log. Each question adds events, so those of the asking tenant are excluded. */
const LOG = ["reeve_events", "reeve_event_streams", "reeve_chain_heads"];

async function digestOf(file: string, exceptEventsOf: string): Promise<string> {
  const db = anyDriver().open(file, { readonly: true });
  try {
    // The search index is updated after the commit, so wait for it.
    const waiting = db.prepare("select 1 from reeve_search_pending limit 1");
    while (waiting.get() !== undefined) await sleep(50);
    const hash = createHash("sha256");
    const tables = db.prepare("select name, sql from sqlite_schema order by name").all() as {
      name: string;
      sql: string;
    }[];
    for (const { name, sql } of tables) {
      hash.update(`${name} ${sql}`);
      if (!sql?.startsWith("CREATE TABLE")) continue;
      const where = LOG.includes(name) ? " where tenant_id <> ?" : "";
      const columns = db.pragma(`table_info("${name}")`) as { name: string }[];
      // As text: the search index has integers that are no safe numbers.
      const cells = columns.map((column) => `quote("${column.name}")`).join(", ");
      const rows = db
        .prepare(`select ${cells} from "${name}"${where}`)
        .raw(true)
        .all(where ? [exceptEventsOf] : []);
      hash.update(JSON.stringify(rows));
    }
    return hash.digest("hex");
  } finally {
    db.close();
  }
}

describeSqlConsole({
  name: "SQLite",
  dialect: "sqlite",
  create: async () => {
    const folder = mkdtempSync(join(inject("temporaryFolder"), "reeve-sqlite-console-"));
    const file = join(folder, "reeve.sqlite");
    const store = createSqliteStore({ file });
    return {
      store,
      digest: (exceptEventsOf) => digestOf(file, exceptEventsOf),
      inside: [folder],
      dispose: async () => {
        await store.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
});
