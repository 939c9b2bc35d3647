import { randomBytes } from "node:crypto";
import type { Change, Store } from "@reeve/core/store";
import { account, accounts, contractCollections, event, setting, settings, thing, things } from "@reeve/testkit";
import pg from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { collectionMigration, createPostgresStore } from "../src/index.js";
import { connect, emptyDatabase, migrations, openStore } from "./support.js";

/** A name that no other test on the server uses, because all databases share its roles. */
const fresh = (name: string) => `${name}_${randomBytes(4).toString("hex")}`;

/** Uses everything in a store that names something in the database. */
async function work(store: Store, note: string): Promise<void> {
  const tenant = store.forTenant("t");
  await store.transaction("t", async (tx) => {
    await tx.insert(things, thing(1, { note, slug: "s" }));
    await tx.append(event(1, ["s"]), event(2, ["s"]));
    expect((await tx.count(things)).count).toBe(1);
    await tx.insert(settings, setting(note, 1));
  });
  await tenant.insert(accounts, account(1));
  const row = await tenant.get(things, thing(1).id);
  expect(row?.value.note).toBe(note);
  expect((await tenant.list(things, { search: note, size: 9 })).count).toBe(1);
  expect((await tenant.lookupMany(things, "slug", [{ slug: "s" }])).length).toBe(1);
  expect((await tenant.events({ stream: "s", size: 9 })).events.map(({ sequence }) => sequence)).toEqual([2, 1]);
  expect((await store.platform.find(accounts, { size: 9 })).rows.length).toBe(1);
  const claim = { key: "k", limit: 5, until: 9_000_000_000_000, spent: 0, wanted: 3 };
  expect(await store.reserveQuota("t", [claim], 1)).toEqual([{ granted: 3, left: 2 }]);
  await tenant.eraseEvents([1]);
  await tenant.pruneEvents(1);
}

describe("two schemas of one database", () => {
  it("hold two stores of one process side by side, also on the same connections of a host's pool", async () => {
    const url = await emptyDatabase();
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    pool.on("error", () => {});
    onTestFinished(() => pool.end());
    const other = fresh("Acme-gov");
    const stores = [
      openStore(url),
      createPostgresStore({ pool, migrations, schema: other, connectionTimeoutMs: 5_000 }),
      createPostgresStore({ pool, migrations, runtimeRole: "reeve_app" }),
    ] as const;
    const [first, second, third] = stores;
    onTestFinished(async () => {
      await Promise.all([second.close(), third.close()]);
      const admin = await connect(url);
      await admin.query(
        `drop owned by "${other}_app", "${other}_app_search"; drop role "${other}_app"; drop role "${other}_app_search"`,
      );
    });
    await Promise.all([first.migrate(), second.migrate()]);
    await work(first, "one");
    await work(second, "two");
    expect((await third.forTenant("t").get(things, thing(1).id))?.value.note).toBe("one");
    expect((await second.forTenant("t").get(things, thing(1).id))?.value.note).toBe("two");
    await second.forTenant("t").insert(things, thing(2));
    expect([
      (await first.forTenant("t").count(things)).count,
      (await second.forTenant("t").count(things)).count,
    ]).toEqual([1, 2]);
    const admin = await connect(url);
    const open = await admin.query(
      `select has_schema_privilege('reeve_app', $1, 'usage') as a, has_schema_privilege($2, 'reeve', 'usage') as b`,
      [other, `${other}_app`],
    );
    expect(open.rows).toEqual([{ a: false, b: false }]);
  });

  it("tell their changes to themselves only", async () => {
    const url = await emptyDatabase();
    const other = fresh("other");
    const [one, two] = [openStore(url), openStore(url, { schema: other, runtimeRole: "reeve_app" })];
    await one.migrate();
    await two.migrate();
    const reported: string[][] = [[], []];
    for (const [at, store] of [one, two].entries()) {
      await store.watch?.((change: Change | undefined) => void reported[at]?.push(change?.tenantId ?? "anything"));
    }
    await one.forTenant("t1").insert(accounts, account(1));
    await two.forTenant("t2").insert(accounts, account(1));
    await vi.waitFor(
      () =>
        expect(reported).toEqual([
          ["anything", "t1"],
          ["anything", "t2"],
        ]),
      10_000,
    );
  });

  it("name no table, function or index outside their schema", async () => {
    const url = await emptyDatabase();
    const other = fresh("whole");
    const store = openStore(url, { schema: other, runtimeRole: "reeve_app" });
    await store.migrate();
    await work(store, "whole");
    const admin = await connect(url);
    const { rows } = await admin.query(`select distinct n.nspname as schema from pg_class c join pg_namespace n
      on n.oid = c.relnamespace where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`);
    expect(rows).toEqual([{ schema: other }]);
  });
});

describe("the extension for searches", () => {
  it("is found in whichever schema it lies", async () => {
    const url = await emptyDatabase();
    const admin = await connect(url);
    await admin.query(
      "create schema tools; create extension pg_trgm schema tools; create extension btree_gin schema tools; drop schema public",
    );
    const store = openStore(url);
    await store.migrate();
    const { rows } = await admin.query("select from pg_indexes where schemaname = 'reeve' and indexname like 'gx\\_%'");
    expect(rows.length).toBeGreaterThan(3);
    await work(store, "needle");
  });
});

describe("options that cannot work", () => {
  const url = "postgres://nobody@127.0.0.1:1/none";
  it.each([
    ["public", { url, schema: "public" }, /schema "public": Reeve needs a schema of its own/],
    ["a schema of the system", { url, schema: "pg_catalog" }, /schema "pg_catalog": Reeve needs/],
    ["information_schema", { url, schema: "information_schema" }, /schema "information_schema": Reeve needs/],
    ["no name", { url, schema: "" }, /schema "": a name of at most 48/],
    ["a name with a quote", { url, schema: `x"; drop schema app; --` }, /a name of at most 48/],
    ["a name with an apostrophe", { url, schema: "o'brien" }, /a name of at most 48/],
    ["a long name", { url, schema: "x".repeat(49) }, /a name of at most 48/],
    ["a role with a blank", { url, runtimeRole: "a -c role=postgres" }, /runtimeRole .* a name of at most 48/],
    ["no database", {}, /url: a connection URL such as/],
    ["a URL as the options", url as never, /url: a connection URL such as/],
    [
      "two databases",
      { url, pool: { connect: async () => {}, options: {}, ending: false } },
      /url and pool: give the store one/,
    ],
    [
      "a pool behind a pooler",
      { pooler: "transaction" as const, pool: { connect: async () => {}, options: {}, ending: false } },
      /pool and pooler: behind a transaction pooler/,
    ],
    ["what is no pool", { pool: {} as never }, /pool: a Pool of the package pg is needed/],
  ])("%s: are refused at once", (_, options, line) => {
    expect(() => createPostgresStore(options)).toThrow(line);
  });

  it("a collection of the name of a table that the stores have", () => {
    const collection = { ...contractCollections[0], name: "events" };
    expect(() => collectionMigration(2_000, "own", [collection as never])).toThrow("collection events:");
  });
});

describe("a schema that is not Reeve's", () => {
  const ours = "select count(*)::int as n from pg_class where relnamespace = to_regnamespace('reeve')";

  it.each([
    [
      "tables of somebody else",
      "create table reeve.users (id int); create table reeve.widgets ()",
      /holds what is not Reeve's \(users, widgets\): choose another one/,
    ],
    [
      "a ledger of somebody else",
      "create table reeve.migrations (version int)",
      /has a table "migrations" that is not Reeve's/,
    ],
  ])("with %s is left as it is", async (_, sql, line) => {
    const url = await emptyDatabase();
    const admin = await connect(url);
    await admin.query(`create schema reeve; ${sql}`);
    const before = (await admin.query(ours)).rows;
    const store = openStore(url);
    await expect(store.migrate()).rejects.toMatchObject({ code: "schema", message: expect.stringMatching(line) });
    await expect(store.migrationSql?.()).rejects.toMatchObject({
      code: "schema",
      message: expect.stringMatching(line),
    });
    expect((await admin.query(ours)).rows).toEqual(before);
  });

  it("with a table of the name of a new one is left as it was", async () => {
    const url = await emptyDatabase();
    await openStore(url, { migrations: [] }).migrate();
    const admin = await connect(url);
    await admin.query("create table reeve.contract_things (id int)");
    const message =
      'the schema "reeve" holds something of a name that Reeve needs: relation "contract_things" already exists';
    await expect(openStore(url).migrate()).rejects.toMatchObject({ code: "schema", message });
    expect((await admin.query("select number from migrations")).rows).toEqual([{ number: 1 }]);
  });

  it("and a console's schema of somebody else is not dropped", async () => {
    const url = await emptyDatabase();
    const admin = await connect(url);
    await admin.query("create schema reeve_console; create table reeve_console.theirs ()");
    const message = 'the schema "reeve_console" is not Reeve\'s: choose another `schema`';
    await expect(openStore(url, { consoleUrl: url }).migrate()).rejects.toMatchObject({ code: "schema", message });
    expect((await admin.query("select to_regclass('reeve_console.theirs')::text as t")).rows).toEqual([
      { t: "reeve_console.theirs" },
    ]);
  });
});
