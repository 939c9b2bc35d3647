import { migrations as own, purgedTables, tablesOf } from "@reeve/store-sql";
import { createWorld, event } from "@reeve/testkit";
import type pg from "pg";
import { describe, expect, it } from "vitest";
import { connect, freshStore } from "./support.js";

/** All rows of a tenant by table, whatever has its id. */
async function rowsOf(admin: pg.Client, tenantId: string): Promise<Record<string, string[]>> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relnamespace = 'reeve'::regnamespace and c.relkind in ('r', 'p') order by 1`,
  );
  const all: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await admin.query<{ row: string }>(
      `select t::text as row from ${name} t where tenant_id = $1 order by 1`,
      [tenantId],
    );
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}

const filled = (rows: Record<string, string[]>) => Object.keys(rows).filter((table) => rows[table]?.length);

describe("the deletion of a tenant", () => {
  it("reaches every table of the schema that has tenants, and no row of another tenant", async () => {
    const { store, url } = await freshStore();
    const { a, b } = await createWorld({ store });
    for (const { tenantId } of [a, b])
      await store.reserveQuota(tenantId, [{ key: "k", limit: 9, until: 1e15, spent: 0, wanted: 1 }], 0);
    const admin = await connect(url);
    const before = await rowsOf(admin, b.tenantId);
    const known = new Set(purgedTables(tablesOf(own), ["counters", "quotas", "dues", "chain_heads"]));
    expect(Object.keys(before).filter((table) => !known.has(table) && !table.startsWith("contract_"))).toEqual([]);
    expect(filled(await rowsOf(admin, a.tenantId)).length).toBeGreaterThan(50);
    for (let done = false; !done; )
      done = await store.transaction(a.tenantId, async (tx) => (await tx.purge("all", 100)).done);
    expect(filled(await rowsOf(admin, a.tenantId))).toEqual([]);
    expect(await rowsOf(admin, b.tenantId)).toEqual(before);
  });

  it("passes no other deletion of events or of the head of a chain, not even by the role of requests", async () => {
    const { store, url } = await freshStore();
    await store.forTenant("ten_a").append(event(1), event(2));
    for (const options of ["", "-c role=reeve_app -c reeve.tenant=ten_a"]) {
      const client = await connect(url, options);
      const refused = (sql: string) => expect(client.query(sql), sql).rejects;
      await refused("delete from events").toThrow("events are append-only");
      await refused("delete from chain_heads").toThrow("the chain of events is kept");
      await client.query("begin; update chain_heads set pruned = seq");
      await refused("delete from chain_heads").toThrow("the chain of events is kept");
      await client.query("rollback");
    }
    expect(await store.forTenant("ten_a").scanEvents({ size: 9 })).toHaveLength(2);
  });

  it("by the role of requests reaches its own tenant only", async () => {
    const { store, url } = await freshStore();
    for (const tenantId of ["ten_a", "ten_b"]) await store.forTenant(tenantId).append(event(1), event(2));
    const client = await connect(url, "-c role=reeve_app -c reeve.tenant=ten_a");
    await client.query("update chain_heads set pruned = seq");
    await client.query("delete from events");
    await client.query("delete from chain_heads");
    expect(await store.forTenant("ten_a").scanEvents({ size: 9 })).toEqual([]);
    expect(await store.forTenant("ten_b").scanEvents({ size: 9 })).toHaveLength(2);
  });
});
