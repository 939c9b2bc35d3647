import { contractCollections, thing, things } from "@reeve/testkit";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { collectionMigration, createSqliteStore } from "../src/index.js";
import { migrations, openStore, temporaryFile } from "./support.js";

function handle(file: string, options: Database.Options = {}): Database.Database {
  const db = new Database(file, options);
  onTestFinished(() => void db.close());
  return db;
}

/** A store on a file or handle, closed with the test. */
function store(options: Parameters<typeof createSqliteStore>[0]) {
  const made = createSqliteStore({ migrations, ...options });
  onTestFinished(() => made.close());
  return made;
}

const names = (db: Database.Database) => db.prepare("select name from sqlite_master order by name").pluck().all();

describe("names in the database", () => {
  it("begin with a prefix, of tables, indexes, triggers and what search keeps", async () => {
    const { file } = await openStore();
    const made = names(handle(file)) as string[];
    expect(made.length).toBeGreaterThan(100);
    expect(made.filter((name) => !/^(sqlite_autoindex_)?reeve_/.test(name))).toEqual([]);
  });

  it("of tables that the stores have are refused to collections", () => {
    const collection = { ...contractCollections[0], name: "search_pending" };
    expect(() => collectionMigration(2_000, "own", [collection as never])).toThrow("collection search_pending:");
  });
});

describe("a file that holds somebody else's tables of these names", () => {
  it.each([
    ["a table", "create table reeve_users (id int)", /a name that Reeve needs: table "?reeve_users"? already exists/],
    [
      "an index",
      "create table x (a); create index reeve_uq_events_id on x (a)",
      /a name that Reeve needs: index reeve_uq_events_id already/,
    ],
    ["a ledger", "create table reeve_migrations (version int)", /a table reeve_migrations that is not Reeve's/],
  ])("%s is left as it is", async (_, sql, message) => {
    const file = temporaryFile();
    const db = handle(file);
    db.exec(sql);
    const before = names(db);
    await expect(store({ file }).migrate()).rejects.toMatchObject({
      code: "schema",
      message: expect.stringMatching(message),
    });
    expect(names(db)).toEqual(before);
  });
});

describe("a host's handle", () => {
  it("leads to its file, and transactions of the host and the store do not meet", async () => {
    const file = temporaryFile();
    const db = handle(file);
    db.exec("create table orders (id int)");
    const made = store({ database: db });
    await made.migrate();
    await made.transaction("t", async (tx) => {
      await tx.count(things);
      expect(db.inTransaction).toBe(false);
      await tx.insert(things, thing(1));
      expect(db.prepare("select count(*) from reeve_contract_things").pluck().get()).toBe(0);
    });
    db.transaction(() => db.exec("insert into orders values (1)"))();
    expect(db.prepare("select count(*) from reeve_contract_things").pluck().get()).toBe(1);
    await made.close();
    expect(db.prepare("select id from orders").pluck().all()).toEqual([1]);
  });

  it.each([
    ["in memory", () => handle(":memory:"), /of a database without a file/],
    ["of a temporary database", () => handle(""), /of a database without a file/],
    ["made of bytes", () => handle(handle(":memory:").serialize() as never), /of a database without a file/],
    ["that is closed", () => handle(temporaryFile()).close(), /the handle is closed/],
    ["that is none", () => ({}) as never, /a handle of better-sqlite3, node:sqlite or bun:sqlite is needed/],
  ])("%s is refused", (_, database, message) => {
    expect(() => createSqliteStore({ database: database() })).toThrow(message);
  });

  it.each([
    ["nothing", {}, /file: the path of a file such as/],
    ["a path as the options", "x.db" as never, /file: the path of a file such as/],
    ["memory", { file: ":memory:" }, /file: the path of a file such as/],
    ["a URI", { file: "file:x.db" }, /file: the path of a file such as/],
  ])("or a file is needed: %s is refused", (_, options, message) => {
    expect(() => createSqliteStore(options)).toThrow(message);
  });

  it("and a file are not taken together", () => {
    const database = handle(temporaryFile());
    expect(() => createSqliteStore({ database, file: "x.db" })).toThrow(
      "file and database: give the store one of them",
    );
  });
});

describe("the SQL of what is pending", () => {
  it("is run by a plain client, and the store finds nothing to do", async () => {
    const file = temporaryFile();
    const made = store({ file });
    const sql = await made.migrationSql();
    const db = handle(file);
    expect(names(db)).toEqual([]);
    db.exec(sql);
    expect(await made.migrationSql()).toBe("");
    const before = names(db);
    await made.migrate();
    expect(names(db)).toEqual(before);
    await made.forTenant("t").insert(things, thing(1));
  });

  it("holds only the migrations that are missing", async () => {
    const file = temporaryFile();
    await store({ file, migrations: [] }).migrate();
    const sql = await store({ file }).migrationSql();
    expect(sql).toContain('CREATE TABLE "reeve_contract_things"');
    expect(sql).not.toContain('CREATE TABLE "reeve_users"');
  });
});
