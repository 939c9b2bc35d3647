import { collections } from "@reeve/core/reference";
import type { StoredCollection } from "@reeve/core/store";
import { databaseIndexes } from "@reeve/store-sql";
import { contractCollections, thing, things } from "@reeve/testkit";
import { expect, it } from "vitest";
import { collectionMigration, createPostgresStore, migrations as own, schemaDrift } from "../src/index.js";
import { connect, emptyDatabase, freshStore, migrations, openStore } from "./support.js";

it("migrations make every table, column and index the collections declare", async () => {
  expect(schemaDrift(collections)).toEqual([]);
  const { url } = await freshStore();
  const admin = await connect(url);
  const { rows } = await admin.query<{ name: string; columns: string[] }>(`
    select i.relname as name, array_agg(a.attname::text order by k.place) as columns
    from pg_index x join pg_class i on i.oid = x.indexrelid
    cross join unnest(x.indkey) with ordinality as k(attnum, place)
    join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.attnum
    group by i.relname`);
  const made = new Map(rows.map((row) => [row.name, row.columns]));
  for (const spec of own.flatMap((migration) => migration.tables)) {
    for (const index of databaseIndexes(spec)) expect(made.get(index.name)).toEqual(index.columns);
  }
});

it("eight starters at once apply each migration once", async () => {
  const url = await emptyDatabase();
  const stores = Array.from({ length: 8 }, () => openStore(url));
  await Promise.all(stores.map((store) => store.migrate()));
  const admin = await connect(url);
  const { rows } = await admin.query("select number from migrations order by number");
  expect(rows.map((row) => row.number)).toEqual([1, 1_000]);
  await stores[7]?.forTenant("t").insert(things, thing(1));
});

it("a migrating process that dies leaves no lock and nothing half made", async () => {
  const url = await emptyDatabase();
  const sleepy = {
    number: 2_000,
    name: "sleepy",
    tables: [],
    kernel: () => ["create table reeve.half (id int)", "select pg_sleep(60)"],
  };
  const dying = openStore(url, { migrations: [...migrations, sleepy] });
  const outcome = dying.migrate().catch((error: unknown) => error);
  const admin = await connect(url);
  await expect
    .poll(
      async () =>
        (
          await admin.query(
            "select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep%' and datname = current_database()",
          )
        ).rowCount,
      { timeout: 20_000 },
    )
    .toBe(1);
  expect(await outcome).toMatchObject({ code: "unavailable" });
  expect((await admin.query("select to_regclass('half') as half")).rows).toEqual([{ half: null }]);
  const next = openStore(url);
  await next.migrate();
  await next.forTenant("t").insert(things, thing(1));
});

it("a database that is newer than the code is refused, and an edited migration too", async () => {
  const { url } = await freshStore();
  const older = createPostgresStore({ url });
  await expect(older.migrate()).rejects.toMatchObject({ code: "schema" });
  await older.close();
  const shrunk = contractCollections.map((collection) => ({ ...collection, indexes: [] }));
  const edited = openStore(url, {
    migrations: [collectionMigration(1_000, "contract", shrunk as unknown as readonly StoredCollection[])],
  });
  await expect(edited.migrate()).rejects.toMatchObject({ code: "schema" });
});

it("without the trigram extension searches still answer, among the newest rows", async () => {
  const { store, url } = await freshStore();
  const tenant = store.forTenant("t");
  await tenant.insert(things, thing(1, { note: "needle" }));
  const admin = await connect(url);
  await admin.query("drop extension pg_trgm cascade");
  const without = openStore(url);
  expect((await without.forTenant("t").list(things, { search: "NEEDLE", size: 9 })).count).toBe(1);
  expect((await without.forTenant("u").list(things, { search: "NEEDLE", size: 9 })).count).toBe(0);
});

it("events are neither changed nor removed, only their data is erased", async () => {
  const { url } = await freshStore();
  const admin = await connect(url);
  await admin.query("insert into events values ('t', 1, 'e', 'now', '{}', '{}', 'p', 'h', 'r', '[]')");
  for (const statement of [
    "delete from events",
    "truncate events",
    "update events set attributes = 'x'",
    "update events set data = null, seq = 2",
  ]) {
    await expect(admin.query(statement), statement).rejects.toThrow("append-only");
  }
  await admin.query("update events set data = null");
  await expect(admin.query("update events set data = 'x'")).rejects.toThrow("append-only");
  await admin.query(
    "insert into chain_heads (tenant_id, seq, hash, prev_hash) values ('t', 2, 'h', 'h'), ('u', 9, 'h', 'h')",
  );
  await admin.query("update chain_heads set pruned = 8 where tenant_id = 'u'");
  await expect(admin.query("delete from events"), "what no head says is pruned").rejects.toThrow("append-only");
  await admin.query("update chain_heads set pruned = 1 where tenant_id = 't'");
  await admin.query("delete from events");
});
