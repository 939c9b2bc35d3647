import { createHash } from "node:crypto";
import { collections } from "@reeve/core/reference";
import type { StoredCollection, StoredRecord } from "@reeve/core/store";
import { defineCollection } from "@reeve/core/testing";
import { databaseIndexes } from "@reeve/store-sql";
import { things } from "@reeve/testkit";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { collectionMigration, createSqliteStore, migrations, schemaDrift } from "../src/index.js";
import { openStore, temporaryFile } from "./support.js";

const extra = defineCollection<StoredRecord & { name: string }>({
  name: "extras",
  prefix: "ext",
  schema: things.schema as never,
  fields: { name: { type: "text" } },
  indexes: [{ where: ["name"] }],
});

function raw(file: string): Database.Database {
  const db = new Database(file);
  onTestFinished(() => void db.close());
  return db;
}

describe("migrations", () => {
  it("make every table, column and index the collections declare", () => {
    expect(schemaDrift(collections)).toEqual([]);
  });

  it("drift names a table, a column and an index that no migration makes", () => {
    expect(schemaDrift([...collections, extra])).toEqual(["extras: no migration makes this table"]);
    const made = collectionMigration(2, "extras", [
      { ...extra, fields: {}, indexes: [] } as unknown as StoredCollection,
    ]);
    expect(schemaDrift([...collections, extra], [...migrations, made])).toEqual([
      "extras: no migration makes column name text",
      "extras: no migration makes index ix_extras_by_created_at (tenant_id, created_at, id)",
      "extras: no migration makes index ix_extras_name_by_created_at (tenant_id, name, created_at, id)",
    ]);
  });

  it("say what they will do to the database", async () => {
    const { file } = await openStore();
    const db = raw(file);
    for (const spec of migrations.flatMap((migration) => migration.tables)) {
      const columns = db.pragma(`table_info("reeve_${spec.name}")`) as { name: string }[];
      expect(columns.map((column) => column.name)).toEqual(expect.arrayContaining(Object.keys(spec.columns)));
      for (const index of databaseIndexes(spec)) {
        const made = db.pragma(`index_info("reeve_${index.name}")`) as { name: string }[];
        expect(made.map((column) => column.name)).toEqual(index.columns);
      }
    }
  });

  it("run once, and a second run changes nothing", async () => {
    const { store, file } = await openStore();
    const digest = () => {
      const rows = raw(file).prepare("select sql from sqlite_master order by name").all();
      return createHash("sha256").update(JSON.stringify(rows)).digest("hex");
    };
    const before = digest();
    await store.migrate();
    expect(digest()).toBe(before);
    expect((await store.status()).migration).toEqual({ applied: 1_000, latest: 1_000 });
  });

  it("refuse a database that is newer than the code", async () => {
    const { file } = await openStore();
    const older = createSqliteStore({ file });
    onTestFinished(() => older.close());
    await expect(older.migrate()).rejects.toMatchObject({ code: "schema" });
  });

  it("refuse a migration that is not what was run", async () => {
    const file = temporaryFile();
    const open = (collection: StoredCollection<never>) => {
      const store = createSqliteStore({ file, migrations: [collectionMigration(2_000, "extras", [collection])] });
      onTestFinished(() => store.close());
      return store.migrate();
    };
    await open(extra as unknown as StoredCollection<never>);
    const edited = { ...extra, indexes: [{ where: [] }] };
    await expect(open(edited as unknown as StoredCollection<never>)).rejects.toMatchObject({ code: "schema" });
  });

  it("a migration that fails leaves nothing of itself", async () => {
    const file = temporaryFile();
    const broken = {
      number: 2_000,
      name: "broken",
      tables: [],
      kernel: () => ["CREATE TABLE half (id)", "CREATE NONSENSE"],
    };
    const store = createSqliteStore({ file, migrations: [broken] });
    onTestFinished(() => store.close());
    await expect(store.migrate()).rejects.toThrow();
    const db = raw(file);
    expect(db.prepare("select number from reeve_migrations").pluck().all()).toEqual([1]);
    expect(db.prepare("select 1 from sqlite_master where name = 'half'").get()).toBeUndefined();
  });

  it("keep events: they are neither changed nor removed, only their data is erased", async () => {
    const { file } = await openStore();
    const db = raw(file);
    db.exec("insert into reeve_events values ('t', 1, 'e', 'now', '{}', '{}', 'p', 'h', 'r', '[]')");
    expect(() => db.exec("delete from reeve_events")).toThrow("append-only");
    expect(() => db.exec("update reeve_events set attributes = 'x'")).toThrow("append-only");
    expect(() => db.exec("update reeve_events set data = null, seq = 2")).toThrow("append-only");
    db.exec("update reeve_events set data = null");
    expect(() => db.exec("update reeve_events set data = 'x'")).toThrow("append-only");
    db.exec("insert into reeve_chain_heads (tenant_id, seq, hash) values ('t', 2, 'h'), ('u', 9, 'h')");
    db.exec("update reeve_chain_heads set pruned = 8 where tenant_id = 'u'");
    expect(() => db.exec("delete from reeve_events"), "what no head says is pruned").toThrow("append-only");
    db.exec("update reeve_chain_heads set pruned = 1 where tenant_id = 't'");
    db.exec("delete from reeve_events");
  });
});
