import { randomBytes } from "node:crypto";
import { StoreError } from "@reeve/core/store";
import { createWorld, thing, things } from "@reeve/testkit";
import type pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { createPostgresStore, type PostgresStoreOptions } from "../src/index.js";
import { connect, emptyDatabase, migrations } from "./support.js";

interface Place {
  readonly url: string;
  readonly admin: pg.Client;
  /** A schema, and so roles, that no other test on the server uses. */
  readonly schema: string;
  login(name: string, attributes?: string): Promise<string>;
  store(options: PostgresStoreOptions): ReturnType<typeof createPostgresStore>;
}

/** An empty database. Its roles are dropped with the test. */
async function place(): Promise<Place> {
  const url = await emptyDatabase();
  const admin = await connect(url);
  const mark = randomBytes(4).toString("hex");
  const schema = `s_${mark}`;
  onTestFinished(async () => {
    const cleaner = await connect(url);
    const { rows } = await cleaner.query<{ name: string }>(
      "select rolname as name from pg_roles where rolname like $1",
      [`%${mark}%`],
    );
    const names = rows.map(({ name }) => `"${name}"`).join(", ");
    if (names) await cleaner.query(`drop owned by ${names} cascade; drop role ${names}`);
  });
  return {
    url,
    admin,
    schema,
    login: async (name, attributes = "") => {
      await admin.query(`create role ${name}_${mark} login ${attributes}`);
      return Object.assign(new URL(url), { username: `${name}_${mark}` }).href;
    },
    store: (options) => {
      const store = createPostgresStore({ schema, migrations, ...options });
      onTestFinished(() => store.close());
      return store;
    },
  };
}

/** All objects in the database, and all roles of this test. */
async function traces({ admin, schema }: Place): Promise<unknown> {
  const { rows } = await admin.query(
    `select (select count(*)::int from pg_namespace where nspname = $1) as schemas,
      (select count(*)::int from pg_roles where rolname like $1 || '\\_%') as roles,
      (select count(*)::int from pg_extension where extname in ('pg_trgm', 'btree_gin')) as extensions`,
    [schema],
  );
  return rows[0];
}

const NOTHING = { schemas: 0, roles: 0, extensions: 0 };

async function refusal(migrating: Promise<void>): Promise<StoreError> {
  const error = await migrating.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!StoreError.is(error)) throw error ?? new Error("nothing was refused");
  return error;
}

const works = async (store: ReturnType<Place["store"]>) => {
  await store.forTenant("t").insert(things, thing(1, { note: "needle" }));
  expect((await store.forTenant("t").list(things, { search: "needle", size: 9 })).count).toBe(1);
};

describe("a login that may not make what is needed", () => {
  it("is told the SQL for an administrator, leaves nothing behind, and goes on when it was run", async () => {
    const here = await place();
    const [owner, app] = [await here.login("owner"), await here.login("app")];
    const store = here.store({ url: app, migrationUrl: owner });
    const { code, message } = await refusal(store.migrate());
    expect(code).toBe("schema");
    const [line, ...sql] = message.split("\n");
    const { username } = new URL(owner);
    expect(line).toBe(
      `"${username}" may not make all that Reeve needs in the database "${new URL(owner).pathname.slice(1)}": an administrator has to run there`,
    );
    expect(sql[0]).toBe(`CREATE SCHEMA "${here.schema}" AUTHORIZATION "${username}";`);
    expect(sql.slice(-2)).toEqual([
      "CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;",
      "CREATE EXTENSION IF NOT EXISTS btree_gin SCHEMA public;",
    ]);
    expect(await traces(here)).toEqual(NOTHING);
    await here.admin.query(sql.join("\n"));
    await store.migrate();
    await works(store);
    expect(await store.migrationSql()).toBe("");
  });

  it("is told only what is missing", async () => {
    const here = await place();
    const owner = await here.login("owner");
    const { username } = new URL(owner);
    const role = `"${here.schema}_app"`;
    await here.admin.query(`create schema ${here.schema} authorization ${username}; create extension pg_trgm schema public;
      create extension btree_gin schema public;
      create role ${role}; create role "${here.schema}_app_search"; grant "${here.schema}_app_search" to ${username}`);
    const store = here.store({ url: owner });
    const { message } = await refusal(store.migrate());
    expect(message.split("\n").slice(1)).toEqual([`GRANT ${role} TO "${username}";`]);
    await here.admin.query(message.split("\n").slice(1).join("\n"));
    await store.migrate();
    await works(store);
  });

  it("makes everything itself when it may make roles and schemas", async () => {
    const here = await place();
    const [owner, app] = [await here.login("owner", "createrole"), await here.login("app")];
    await here.admin.query(
      `grant create on database "${new URL(here.url).pathname.slice(1)}" to ${new URL(owner).username}`,
    );
    const store = here.store({ url: app, migrationUrl: owner });
    await store.migrate();
    await works(store);
  });

  it("is told of the owner of a schema that it may not use", async () => {
    const here = await place();
    const [theirs, ours] = [await here.login("theirs"), await here.login("ours", "createrole")];
    await here.admin.query(`create schema ${here.schema} authorization ${new URL(theirs).username}`);
    const empty = await refusal(here.store({ url: ours }).migrate());
    expect(empty.message).toBe(
      `the schema "${here.schema}" belongs to "${new URL(theirs).username}": choose another one by the option \`schema\`, or have it given: ALTER SCHEMA "${here.schema}" OWNER TO "${new URL(ours).username}";`,
    );
    await here.store({ url: here.url }).migrate();
    const closed = await refusal(here.store({ url: ours }).migrate());
    expect(closed.message).toMatch(/belongs to ".*" and is closed to "ours_/);
  });

  it("is told at a request that it may not become the runtime role", async () => {
    const here = await place();
    await here.store({ url: here.url }).migrate();
    const store = here.store({ url: await here.login("app") });
    await expect(store.forTenant("t").count(things)).rejects.toMatchObject({
      code: "schema",
      message: `the login of requests may not become ${here.schema}_app: migrate, or grant it that role`,
    });
  });
});

describe("the SQL of what is pending", () => {
  it("is run by a plain client on an empty database, and the store finds nothing to do", async () => {
    const here = await place();
    const [app, support] = [await here.login("app"), await here.login("support")];
    const store = here.store({ url: app, consoleUrl: support });
    const sql = await store.migrationSql();
    expect(await traces(here)).toEqual(NOTHING);
    await here.admin.query(sql);
    await here.admin.query(`grant "${here.schema}_app_console" to ${new URL(support).username}`);
    expect(await store.migrationSql()).toBe("");
    await store.migrate();
    await works(store);
    const question = {
      statement: "select count(*) from contract_things",
      parameters: [],
      maxRows: 9,
      maxBytes: 999,
      timeoutMs: 2_000,
    };
    expect((await store.console?.run(question))?.rows).toEqual([[1]]);
    expect((await here.admin.query(`select number from "${here.schema}".migrations order by 1`)).rows).toEqual([
      { number: 1 },
      { number: 1_000 },
    ]);
  });

  it("holds only the migrations that are missing, and changes nothing when it is asked for", async () => {
    const here = await place();
    await here.store({ url: here.url, migrations: [] }).migrate();
    const store = here.store({ url: here.url });
    const sql = await store.migrationSql();
    expect(sql).toContain(`CREATE TABLE "${here.schema}"."contract_things"`);
    expect(sql).not.toContain(`CREATE TABLE "${here.schema}"."users"`);
    expect((await store.status()).migration.applied).toBe(1);
    await here.admin.query(sql);
    expect(await store.migrationSql()).toBe("");
    expect((await createWorld({ store })).a.tenantId).toBeDefined();
  });
});
