import { createHash, randomBytes } from "node:crypto";
import { StoreError, silentLogger } from "@reeve/core/store";
import { contractCollections, describeSqlConsole, thing, things } from "@reeve/testkit";
import { createDatabase } from "@reeve/testkit/postgres";
import pg from "pg";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { collectionMigration, createPostgresStore } from "../src/index.js";
import { connect, emptyDatabase, migrations, openStore } from "./support.js";

/** Tables of the event log. Each question adds events, so those of the asking tenant are excluded. */
const LOG = ["events", "event_streams", "chain_heads"];
const QUESTION = { parameters: [], maxRows: 9, maxBytes: 10_000, timeoutMs: 2_000 };

async function digestOf(url: string, exceptEventsOf: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "select relname as name from pg_class where relkind in ('r', 'S') and relnamespace = 'reeve'::regnamespace order by 1",
    );
    const hash = createHash("sha256");
    for (const { name } of rows) {
      const where = LOG.includes(name) ? ` where tenant_id <> ${pg.escapeLiteral(exceptEventsOf)}` : "";
      const all = `select md5(string_agg(t::text, chr(10) order by t::text)) as all from reeve."${name}" t${where}`;
      hash.update(JSON.stringify([name, (await client.query(all)).rows]));
    }
    // Roles are left out: they are of the whole server, on which other tests make some meanwhile.
    for (const catalogue of ["pg_largeobject_metadata", "pg_namespace", "pg_class", "pg_proc"]) {
      hash.update(JSON.stringify((await client.query(`select count(*) from ${catalogue}`)).rows));
    }
    return hash.digest("hex");
  } finally {
    await client.end();
  }
}

/** The URL of a login for one test. */
async function newLogin(admin: pg.Client, url: string, attributes: string): Promise<string> {
  const name = `login_${randomBytes(6).toString("hex")}`;
  await admin.query(`create role ${name} login ${attributes}`);
  return Object.assign(new URL(url), { username: name }).href;
}

async function dropLogin(url: string, login: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { username } = new URL(login);
  await client.query(`drop owned by ${username} cascade`);
  await client.query(`drop role ${username}`);
  await client.end();
}

describeSqlConsole({
  name: "PostgreSQL",
  dialect: "postgres",
  create: async () => {
    const { url, drop } = await createDatabase(inject("postgresUrl"));
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query("create table host_table (secret text); insert into host_table values ('host-secret')");
    const login = await newLogin(admin, url, "");
    const store = createPostgresStore({ url, consoleUrl: login });
    await store.migrate();
    await admin.query(`grant reeve_app_console to ${new URL(login).username}`);
    await admin.end();
    return {
      store,
      digest: (exceptEventsOf) => digestOf(url, exceptEventsOf),
      inside: ["host-secret"],
      dispose: async () => {
        await store.close();
        await dropLogin(url, login);
        await drop();
      },
    };
  },
});

/** A migrated store whose console has a login with these attributes. */
async function consoleStore(attributes: string, member = true) {
  const url = await emptyDatabase();
  const admin = await connect(url);
  const login = await newLogin(admin, url, attributes);
  onTestFinished(() => dropLogin(url, login));
  const store = openStore(url, { consoleUrl: login });
  await store.migrate();
  const { username } = new URL(login);
  if (member) await admin.query(`grant reeve_app_console to ${username}`);
  return { store, url, admin, login, username };
}

const ask = (store: ReturnType<typeof openStore>, statement: string) => store.console?.run({ ...QUESTION, statement });

describe("M5: statements in a row", () => {
  it("run by the simple protocol, which the driver uses for a statement without values", async () => {
    const client = await connect(await emptyDatabase());
    await client.query({ text: "select 1; create table public.stacked (id int)", values: [] });
    expect((await client.query("select to_regclass('public.stacked') is not null as made")).rows).toEqual([
      { made: true },
    ]);
  });

  it("are refused by the console, which uses the extended protocol, whoever logs in", async () => {
    const { store } = await consoleStore("");
    await expect(ask(store, "select 1; select 2")).rejects.toMatchObject({
      code: "refused",
      message: "cannot insert multiple commands into a prepared statement",
    });
    expect((await ask(store, "select 1;"))?.rows).toEqual([[1]]);
  });
});

describe("the console's login", () => {
  it.each([
    ["a superuser", "superuser"],
    ["one that bypasses row-level security", "bypassrls"],
    ["one that may make roles", "createrole"],
    ["one that may make databases", "createdb"],
    ["a member of the runtime role", "in role reeve_app"],
    ["one that may read files of the server", "in role pg_read_server_files"],
  ])("is refused when it is %s", async (_, attributes) => {
    await openStore(await emptyDatabase()).migrate();
    const { store } = await consoleStore(attributes);
    await expect(ask(store, "select 1")).rejects.toMatchObject({ name: "StoreError", code: "schema" });
  });

  it("is refused when it may not look at the views, or may look at a table", async () => {
    const { store, admin, username } = await consoleStore("", false);
    await expect(ask(store, "select 1")).rejects.toMatchObject({ code: "schema" });
    await admin.query(`grant reeve_app_console to ${username}`);
    expect((await ask(store, "select 1"))?.rows).toEqual([[1]]);
    await admin.query(`grant select (id) on users to ${username}`);
    await expect(ask(store, "select 1")).rejects.toMatchObject({ code: "schema", message: /users/ });
  });

  it("reads what the views show and nothing else, also when it takes the roles and settings it can", async () => {
    const { url, login } = await consoleStore("");
    const client = await connect(login);
    await client.query("set role reeve_app_console; select set_config('reeve.tenant', 'platform', false)");
    await client.query("select from reeve_console.credentials");
    const admin = await connect(url);
    const { rows } = await admin.query<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'reeve'::regnamespace",
    );
    expect(rows.length).toBeGreaterThan(15);
    for (const { name } of rows) {
      await expect(client.query(`select from reeve."${name}"`), name).rejects.toMatchObject({ code: "42501" });
      const written = client.query(`delete from reeve_console."${name}"`);
      await expect(written, name).rejects.toMatchObject({ code: /42501|42P01/ });
    }
    for (const role of ["reeve_app", "reeve_app_views", "reeve_app_search", "postgres"]) {
      await expect(client.query(`set role ${role}`), role).rejects.toMatchObject({ code: "42501" });
    }
  });
});

describe("the console's views", () => {
  it("are there only where a console is, and only for it", async () => {
    const { url, admin } = await consoleStore("");
    const runtime = await connect(url, "-c role=reeve_app");
    await expect(runtime.query("select from reeve_console.users")).rejects.toMatchObject({ code: "42501" });
    const { rows } = await admin.query<{ owner: string; options: string[]; open: boolean }>(`
      select r.rolname as owner, c.reloptions as options, has_table_privilege('reeve_app', c.oid, 'select') as open
      from pg_class c join pg_roles r on r.oid = c.relowner
      where c.relkind = 'v' and c.relnamespace = 'reeve_console'::regnamespace`);
    expect(rows.length).toBeGreaterThan(15);
    for (const row of rows) {
      expect(row).toEqual({ owner: "reeve_app_views", options: ["security_barrier=true"], open: false });
    }
    const bare = await emptyDatabase();
    await openStore(bare).migrate();
    const without = await connect(bare);
    expect((await without.query("select to_regnamespace('reeve_console') as schema")).rows).toEqual([{ schema: null }]);
  });

  it("of a collection that says nothing about secrets show ids and times only", async () => {
    const { store } = await consoleStore("");
    await store.forTenant("t").insert(things, thing(1));
    const found = await ask(store, "select * from contract_things");
    expect(found?.columns).toEqual(["tenant_id", "id", "version", "created_at"]);
    expect(found?.rows).toHaveLength(1);
  });

  it("are made anew when what they show changes, and by one of many who start at once", async () => {
    const { url, admin, login } = await consoleStore("");
    await admin.query(
      "comment on schema reeve_console is 'views of Reeve''s SQL console, of another release'; drop view reeve_console.users",
    );
    const stores = Array.from({ length: 6 }, () => openStore(url, { consoleUrl: login }));
    await Promise.all(stores.map((store) => store.migrate()));
    expect((await ask(stores[5] as (typeof stores)[0], "select count(*) from users"))?.rows).toEqual([[0]]);
    const more = contractCollections.map((collection) => ({ ...collection, name: `more_${collection.name}` }));
    const added = openStore(url, {
      consoleUrl: login,
      migrations: [...migrations, collectionMigration(1_001, "more", more)],
    });
    await added.migrate();
    expect((await ask(added, "select * from more_contract_things"))?.rows).toEqual([]);
  });

  it("are made by an owner that is no superuser, where an administrator prepared the roles", async () => {
    await openStore(await emptyDatabase(), { consoleUrl: "postgres://nobody@127.0.0.1/none" }).migrate();
    const url = await emptyDatabase();
    const admin = await connect(url);
    const [owner, login] = [await newLogin(admin, url, ""), await newLogin(admin, url, "in role reeve_app_console")];
    const { username } = new URL(owner);
    const database = new URL(url).pathname.slice(1);
    onTestFinished(async () => {
      await dropLogin(url, login);
      await dropLogin(url, owner);
    });
    await admin.query(`grant reeve_app_search, reeve_app_views to ${username};
      create schema reeve authorization ${username};
      grant create on database ${database} to ${username};
      create extension if not exists pg_trgm schema public`);
    const store = openStore(url, { migrationUrl: owner, consoleUrl: login });
    await store.migrate();
    await store.forTenant("t").insert(things, thing(1));
    expect((await ask(store, "select tenant_id from contract_things"))?.rows).toEqual([["t"]]);
  });

  it("are missed by no store whose database nobody prepared for a console", async () => {
    const url = await emptyDatabase();
    await openStore(url).migrate();
    const admin = await connect(url);
    const login = await newLogin(admin, url, "");
    onTestFinished(() => dropLogin(url, login));
    const store = openStore(url, { consoleUrl: login, logger: silentLogger });
    await expect(ask(store, "select 1")).rejects.toBeInstanceOf(StoreError);
    expect(openStore(url).console).toBeUndefined();
  });
});
