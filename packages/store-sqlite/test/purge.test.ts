import { migrations as own, purgedTables, tablesOf } from "@reeve/store-sql";
import { createWorld, event, manyThings, things } from "@reeve/testkit";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "./support.js";

/** All rows of a tenant by table, whatever has its id. */
function rowsOf(db: Database.Database, tenantId: string): Record<string, string[]> {
  const tables = db
    .prepare(
      "select m.name from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table' and c.name = 'tenant_id' order by 1",
    )
    .pluck()
    .all() as string[];
  const rows = (table: string) =>
    db
      .prepare(`select * from "${table}" where tenant_id = ?`)
      .all(tenantId)
      .map((row) => JSON.stringify(row));
  return Object.fromEntries(tables.map((table) => [table, rows(table).sort()]));
}

const filled = (rows: Record<string, string[]>) => Object.keys(rows).filter((table) => rows[table]?.length);

function opened(file: string): Database.Database {
  const db = new Database(file);
  onTestFinished(() => void db.close());
  return db;
}

describe("the deletion of a tenant", () => {
  it("reaches every table of the database that has tenants, and no row of another tenant", async () => {
    const { store, file } = await openStore({ synchronous: "NORMAL" });
    const { a, b } = await createWorld({ store });
    const [db, quotas] = [opened(file), opened(`${file}-quotas`)];
    for (const { tenantId } of [a, b])
      await store.reserveQuota(tenantId, [{ key: "k", limit: 9, until: 1e15, spent: 0, wanted: 1 }], 0);
    // What waits for the search index is the only thing that changes by itself.
    await expect.poll(() => db.prepare("select count(*) from reeve_search_pending").pluck().get()).toBe(0);
    const known = purgedTables(tablesOf(own), ["counters", "search_pending", "search_tenants", "dues", "chain_heads"]);
    const before = rowsOf(db, b.tenantId);
    const declared = new Set(known.map((name) => `reeve_${name}`));
    expect(Object.keys(before).filter((table) => !declared.has(table) && !table.includes("contract_"))).toEqual([]);
    expect(filled(rowsOf(db, a.tenantId)).length).toBeGreaterThan(50);
    const searched = () => db.prepare("select count(*) from reeve_ai_assets_fts").pluck().get() as number;
    const entries = searched();
    for (let done = false; !done; )
      done = await store.transaction(a.tenantId, async (tx) => (await tx.purge("all", 100)).done);
    expect(filled(rowsOf(db, a.tenantId))).toEqual([]);
    expect(rowsOf(db, b.tenantId)).toEqual(before);
    expect(filled(rowsOf(quotas, a.tenantId))).toEqual([]);
    expect(filled(rowsOf(quotas, b.tenantId))).toEqual(["reeve_quotas"]);
    expect(searched()).toBeLessThan(entries);
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  });

  it("leaves nothing of it in the search indexes", async () => {
    const { store, file } = await openStore();
    const db = opened(file);
    const made = manyThings(30, () => ({ note: "some words" }));
    for (const tenantId of ["ten_a", "ten_b"]) await store.forTenant(tenantId).insertMany(things, made);
    const indexed = () => db.prepare("select count(*) from reeve_contract_things_fts").pluck().get();
    await expect.poll(indexed).toBe(60);
    await store.transaction("ten_a", (tx) => tx.purge("all", 20));
    expect(indexed()).toBe(40);
    await store.transaction("ten_a", (tx) => tx.purge("all", 20));
    expect(indexed()).toBe(30);
  });

  it("passes no other deletion of events or of the head of a chain", async () => {
    const { store, file } = await openStore();
    const db = opened(file);
    await store.forTenant("ten_a").append(event(1), event(2));
    expect(() => db.exec("delete from reeve_events")).toThrow("events are append-only");
    expect(() => db.exec("delete from reeve_chain_heads")).toThrow("the chain of events is kept");
    db.exec("update reeve_chain_heads set pruned = seq");
    expect(() => db.exec("delete from reeve_chain_heads")).toThrow("the chain of events is kept");
  });
});
