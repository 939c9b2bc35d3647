import { randomBytes } from "node:crypto";
import type { StoredCollection, StoredRecord } from "@reeve/core/store";
import { defineCollection } from "@reeve/core/testing";
import { backfillsOf } from "@reeve/store-sql";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { addFields, collectionMigration, createPostgresStore, type Migration, settleShape } from "../src/index.js";
import { postgresBackfills } from "../src/migrate/backfills.js";
import type { Installation } from "../src/migrate/facts.js";
import { Namespace } from "../src/statement/namespace.js";
import { connect, emptyDatabase } from "./support.js";

interface Letter extends StoredRecord {
  readonly place: string;
}

const shape = { id: z.string(), version: z.number(), createdAt: z.string(), place: z.string() };
const letters = defineCollection<Letter>({ name: "letters", prefix: null, schema: z.object(shape) });

function sorted(seen: (id: string) => void = () => {}): StoredCollection<Letter & { readonly region: string }> {
  return defineCollection({
    name: "letters",
    prefix: null,
    schema: z.object({ ...shape, region: z.string() }),
    fields: { region: { type: "text" } },
    indexes: [{ where: ["region"] }],
    shapeVersion: 2,
    upcasts: {
      1: (stored) => {
        const letter = stored as unknown as Letter;
        seen(letter.id);
        return { ...letter, region: letter.place.slice(0, 2) };
      },
    },
    addedFields: ["region"],
  });
}

const renewed = async () => {};

/** A schema of its own with two ordinary logins: the owner of the tables, and that of requests. */
async function place() {
  const url = await emptyDatabase();
  const admin = await connect(url);
  const mark = `b_${randomBytes(4).toString("hex")}`;
  const login = async (name: string, attributes: string) => {
    await admin.query(`create role ${mark}_${name} login ${attributes}`);
    return Object.assign(new URL(url), { username: `${mark}_${name}` }).href;
  };
  onTestFinished(async () => {
    const cleaner = await connect(url);
    const { rows } = await cleaner.query("select rolname from pg_roles where rolname like $1", [`${mark}%`]);
    const names = rows.map(({ rolname }) => pg.escapeIdentifier(rolname)).join(", ");
    await cleaner.query(`drop owned by ${names} cascade; drop role ${names}`);
  });
  const [owner, app] = [await login("owner", "createrole"), await login("app", "")];
  await admin.query(`grant create on database ${pg.escapeIdentifier(new URL(url).pathname.slice(1))} to ${mark}_owner`);
  const base = collectionMigration(1_000, "letters", [letters]);
  const open = (
    collection?: ReturnType<typeof sorted>,
    migrationUrl: string | undefined = owner,
    more: readonly Migration[] = [],
  ) => {
    const migrations = collection
      ? [base, addFields(1_001, "regions", collection, { shape: 2, fields: ["region"] }), ...more]
      : [base];
    const store = createPostgresStore({
      schema: mark,
      url: app,
      migrations,
      ...(migrationUrl ? { migrationUrl } : {}),
    });
    onTestFinished(() => store.close());
    return store;
  };
  const before = open();
  await before.migrate();
  for (const tenant of ["t", "u"])
    await before
      .forTenant(tenant)
      .insert(letters, { id: "a", version: 1, createdAt: "2026-01-01T00:00:00.000Z", place: "eu/1" });
  const policies = async () =>
    (await admin.query("select policyname from pg_policies where schemaname = $1 and tablename = 'letters'", [mark]))
      .rows;
  return { admin, base, before, open, owner, url, mark, policies };
}

it("K17 the owner of the tables fills the rows of all tenants, and sees none of them afterwards", async () => {
  const { open, owner, mark, policies } = await place();
  const store = open(sorted());
  await store.migrate();
  expect((await store.status()).backfills).toEqual([{ name: "1001/letters", done: 2, total: 2, finished: true }]);
  expect(await policies()).toEqual([{ policyname: "tenant" }]);
  const client = await connect(owner);
  expect((await client.query(`select * from ${mark}.letters`)).rows, "without a tenant").toEqual([]);
  for (const tenant of ["t", "u"])
    expect((await store.forTenant(tenant).find(sorted(), { where: { region: "eu" }, size: 5 })).rows).toHaveLength(1);
});

it("K17 a policy that an owner of before has left does not hide the rows from the present one", async () => {
  const { open, admin, mark } = await place();
  await admin.query(`create policy "backfill 1001/letters" on ${mark}.letters to current_user using (true)`);
  const store = open(sorted());
  await store.migrate();
  expect((await store.status()).backfills).toMatchObject([{ done: 2, total: 2, finished: true }]);
  const { rows } = await admin.query("select from pg_policies where policyname like 'backfill%'");
  expect(rows).toEqual([]);
});

it("K17 a login that does not own the tables is told who can fill them", async () => {
  const { open, owner } = await place();
  const script = (await open(sorted()).migrationSql?.()) ?? "";
  await (await connect(owner)).query(script);
  await expect(open(sorted(), "").migrate()).rejects.toMatchObject({
    code: "schema",
    message: expect.stringContaining("run `reeve migrate` with `migrationUrl`"),
  });
  await open(sorted()).migrate();
});

it("K17 an index whose build was broken off is built again", async () => {
  const { admin, open, mark } = await place();
  const failing = sorted(() => {
    throw new Error("broken off");
  });
  await expect(open(failing).migrate()).rejects.toMatchObject({ code: "schema" });
  const made = `update pg_index set indisvalid = $2 where indexrelid = $1::regclass returning indisvalid`;
  const index = `${mark}.ix_letters_region_by_created_at`;
  await admin.query(made, [index, false]);
  await open(sorted()).migrate();
  const { rows } = await admin.query("select indisvalid from pg_index where indexrelid = $1::regclass", [index]);
  expect(rows).toEqual([{ indisvalid: true }]);
});

it("K17 whoever takes over a backfill whose index is still built keeps nobody off the table", async () => {
  const { admin, open, owner, url, mark, policies } = await place();
  const snapshot = await connect(url);
  // A build waits for whoever may still see rows of before.
  await snapshot.query("begin isolation level repeatable read");
  await snapshot.query("select from pg_class limit 1");
  const running = async (query: string) =>
    (await admin.query(`select from pg_stat_activity where usename = $1 and query ~* $2`, [`${mark}_owner`, query]))
      .rowCount;
  const [first, second] = [open(sorted()), open(sorted())];
  const ended: string[] = [];
  const migrating = first.migrate().finally(() => ended.push("first"));
  await expect.poll(() => running("^create index concurrently")).toBe(1);
  await admin.query(`update ${mark}.backfills set held_until = 0`);
  const waiting = second.migrate().finally(() => ended.push("second"));
  await expect.poll(() => running("^(select pg_try_advisory_lock|(drop|create) policy)")).toBe(1);
  const reader = await connect(url);
  await reader.query("set statement_timeout = 500");
  expect((await reader.query(`select from ${mark}.letters`)).rowCount).toBe(2);
  const blocked = "select from pg_locks where not granted and relation = $1::regclass";
  expect((await admin.query(blocked, [`${mark}.letters`])).rowCount).toBe(0);
  expect(ended).toEqual([]);
  await snapshot.query("commit");
  await Promise.all([migrating, waiting]);
  for (const tenant of ["t", "u"])
    expect((await first.forTenant(tenant).find(sorted(), { where: { region: "eu" }, size: 5 })).rows).toHaveLength(1);
  expect(await policies()).toEqual([{ policyname: "tenant" }]);
  expect((await (await connect(owner)).query(`select * from ${mark}.letters`)).rows).toEqual([]);
});

it("K17 a process that lost its backfill while it waited for the index leaves no policy behind", async () => {
  const { base, open, owner, mark, policies } = await place();
  await open(sorted()).migrate();
  const [backfill] = backfillsOf([base, addFields(1_001, "regions", sorted(), { shape: 2, fields: ["region"] })]);
  if (!backfill) throw new Error("a backfill is expected");
  const installation = { namespace: new Namespace(mark) } as Installation;
  const database = postgresBackfills(await connect(owner), installation, 5_000);
  const lost = async () => {
    throw new Error("lost");
  };
  await expect(database.begin(backfill, lost)).rejects.toThrow("lost");
  expect(await policies()).toEqual([{ policyname: "tenant" }]);
});

it("K17 the last migration of a shape waits for a row that somebody holds, and then fills it", async () => {
  const { admin, before, open, owner, url, mark } = await place();
  await open(sorted()).migrate();
  const late = { id: "late", version: 1, createdAt: "2026-01-02T00:00:00.000Z", place: "as/1" };
  await before.forTenant("t").insert(letters, late);
  const holder = await connect(url);
  await holder.query("begin");
  await holder.query(`select from ${mark}.letters where id = 'late' for update`);
  const store = open(sorted(), owner, [settleShape(1_002, "regions settled", sorted(), 2)]);
  let isOver = false;
  const migrating = store.migrate().finally(() => {
    isOver = true;
  });
  const waiting = async () =>
    (await admin.query("select from pg_locks where not granted and relation = $1::regclass", [`${mark}.letters`]))
      .rowCount;
  await expect.poll(waiting).toBe(1);
  // Whoever waits to change a table holds up all that come after it, so it must not wait for long at a time.
  await before.forTenant("u").insert(letters, { ...late, id: "beside" });
  expect(isOver).toBe(false);
  await holder.query("commit");
  await migrating;
  expect((await store.forTenant("t").find(sorted(), { where: { region: "as" }, size: 5 })).rows).toHaveLength(1);
});

it("K17 a process that ends a backfill late, after it lost it, leaves the next one of the table its rows", async () => {
  const { base, open, owner, mark } = await place();
  await open(sorted()).migrate();
  const added = addFields(1_001, "regions", sorted(), { shape: 2, fields: ["region"] });
  const [first, next] = backfillsOf([base, added, settleShape(1_002, "regions settled", sorted(), 2)]);
  if (!first || !next) throw new Error("two backfills are expected");
  const client = await connect(owner);
  const database = postgresBackfills(client, { namespace: new Namespace(mark) } as Installation, 5_000);
  const seen = async () => (await client.query(`select * from ${mark}.letters`)).rowCount;
  for (const backfill of [first, next]) await database.begin(backfill, renewed);
  await database.end(first);
  expect(await seen()).toBe(2);
  await database.end(next);
  expect(await seen()).toBe(0);
});

it("K17 rows of older code are found by their index alone", async () => {
  const { admin, open, mark } = await place();
  await open(sorted()).migrate();
  await admin.query("set enable_seqscan = off; set enable_bitmapscan = off");
  const sql = `explain (costs off) select id from ${mark}.letters
    where tenant_id = 't' and removed_at is null and (shape_of is distinct from version or shape < 2) order by id limit 1`;
  const plan = (await admin.query<{ "QUERY PLAN": string }>(sql)).rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toContain("sx_letters_2");
  expect(plan).not.toContain("Sort");
});
