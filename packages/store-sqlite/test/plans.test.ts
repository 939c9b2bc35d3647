import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { collections } from "@reeve/core/reference";
import { type FindQuery, planFind, type StoredCollection } from "@reeve/core/store";
import { eventPageQuery, findValues, indexName, pageQuery, Queries, tableOf } from "@reeve/store-sql";
import { contractCollections } from "@reeve/testkit";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { dialect } from "../src/dialect.js";
import { createSqliteStore } from "../src/index.js";
import { databaseName } from "../src/names.js";
import { migrations } from "./support.js";

type AnyCollection = StoredCollection<never>;
const queries = new Queries(dialect);
const sample = { text: "x", texts: "x", integer: 1, boolean: true, time: "2026-01-01T00:00:00.000Z" } as const;
const all = [...collections, ...contractCollections] as unknown as readonly AnyCollection[];

let folder: string;
let db: Database.Database;
beforeAll(async () => {
  folder = mkdtempSync(join(inject("temporaryFolder"), "reeve-sqlite-plans-"));
  const file = join(folder, "reeve.sqlite");
  const store = createSqliteStore({ migrations, file });
  await store.migrate();
  await store.close();
  db = new Database(file, { readonly: true });
});
afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

const explain = (sql: string, values: readonly unknown[]) =>
  (db.prepare(`explain query plan ${sql}`).all(values) as { detail: string }[]).map((row) => row.detail);

describe.each(all.map((collection) => [collection.name, collection] as const))("plans of %s", (_, collection) => {
  const table = tableOf(collection);
  const typeOf = (field: string) => collection.fields[field]?.type ?? "time";

  it("every declared index is used, in both directions and after a position, without a sort or a scan", async () => {
    for (const index of collection.indexes) {
      const by = index.by ?? "createdAt";
      const where = Object.fromEntries(index.where.map((field) => [field, sample[typeOf(field)]]));
      const name = indexName(table.name, {
        where: index.where.map((field) => table.columnOf[field] as string),
        by: table.columnOf[by] as string,
      });
      for (const direction of ["asc", "desc"] as const) {
        for (const after of [undefined, { by: sample[typeOf(by)] as string, id: "x" }]) {
          const range = index.partial ? { range: { through: sample.time } } : {};
          const order = { by, direction };
          const plan = planFind(collection, { where, order, ...range, size: 25, ...(after ? { after } : {}) });
          const query = pageQuery(queries, table, plan);
          expect(query.sql, "compiled anew whenever it is bound").not.toMatch(/(?:limit|offset) \?/);
          const values = findValues(dialect, "t", plan);
          const details = explain(
            query.sql,
            query.slots.map((slot) => values[slot]),
          );
          const searches = details.filter((detail) => detail.includes(table.name));
          expect(searches.length, query.sql).toBeGreaterThan(0);
          for (const detail of searches) {
            expect(detail).toContain(`USING INDEX ${databaseName(name)} (tenant_id=?`);
            for (const field of index.where) expect(detail).toContain(`${table.columnOf[field]}=?`);
          }
          // A union of rows with a value and rows with `null` has at most two pages, which may be sorted.
          if (!details.some((detail) => detail.includes("UNION"))) {
            expect(details.join()).not.toContain("TEMP B-TREE");
          }
        }
      }
    }
  });

  it("the newest of each value are sought by the index of their field", async () => {
    for (const index of collection.indexes) {
      if (index.where.length !== 1 || index.by !== undefined) continue;
      const query = queries.findTopPerKey(table, { index });
      const details = explain(
        query.sql,
        query.slots.map((slot) => (slot === "values" ? "[]" : "x")),
      );
      const column = table.columnOf[index.where[0] as string] as string;
      const name = indexName(table.name, { where: [column], by: "created_at" });
      expect(details).toContain(`SEARCH i USING INDEX ${databaseName(name)} (tenant_id=? AND ${column}=?)`);
      expect(details).toContain("SEARCH t USING INTEGER PRIMARY KEY (rowid=?)");
    }
  });

  it("reads by id, many ids, keys and scans seek", async () => {
    const keys = Object.keys(collection.unique).map((key) => queries.lookup(table, key));
    for (const query of [queries.get(table), queries.getMany(table), queries.scan(table, true), ...keys]) {
      const details = explain(
        query.sql,
        query.slots.map((slot) => (slot === "ids" ? "[]" : "x")),
      );
      expect(details.filter((detail) => detail.startsWith(`SCAN ${databaseName(table.name)}`))).toEqual([]);
      expect(details.some((detail) => detail.startsWith(`SEARCH ${databaseName(table.name)} USING INDEX`))).toBe(true);
    }
  });
});

describe("plans of several streams of events", () => {
  it.each([false, true])("each is sought by its key as far as a page reaches, before=%s", (before) => {
    const { sql, slots } = eventPageQuery(queries, { streams: 2, before, offset: true });
    expect(sql, "compiled anew whenever it is bound").not.toMatch(/(?:limit|offset) \?/);
    const details = explain(
      sql,
      slots.map(() => 1),
    );
    const key = `(tenant_id=? AND stream=?${before ? " AND seq<?" : ""})`;
    const sought = `SEARCH reeve_event_streams USING PRIMARY KEY ${key}`;
    expect(details.filter((detail) => detail === sought)).toHaveLength(2);
    expect(details[0]).toBe("SEARCH e USING INDEX sqlite_autoindex_reeve_events_1 (tenant_id=? AND seq=?)");
    // Only what is left of each stream is sorted, to merge it.
    expect(details.slice(-4)).toEqual(["CO-ROUTINE p", sought, "SCAN p", "USE TEMP B-TREE FOR ORDER BY"]);
  });
});

describe("plans of published lists", () => {
  const tickets = all.find(({ name }) => name === "contract_tickets") as AnyCollection;
  const table = tableOf(tickets);
  const explained = async (query: Omit<FindQuery, "size">) => {
    const plan = planFind(tickets, { ...query, size: 25 });
    const { sql, slots } = pageQuery(queries, table, plan);
    const values = findValues(dialect, "t", plan);
    const details = explain(
      sql,
      slots.map((slot) => values[slot]),
    );
    expect(details.filter((detail) => detail.startsWith(`SCAN ${databaseName(table.name)}`))).toEqual([]);
    return details;
  };
  const seeks = (details: readonly string[], where: readonly string[], by: string) => {
    const name = indexName(table.name, { where, by });
    return details.filter((detail) =>
      detail.startsWith(`SEARCH ${databaseName(table.name)} USING INDEX ${databaseName(name)} (tenant_id=?`),
    );
  };

  it("several values are sought one by one and merged, without a sort", async () => {
    const details = await explained({ where: { state: ["open", "done"] } });
    expect(seeks(details, ["state"], "created_at")).toHaveLength(2);
    expect(details).toContain("MERGE (UNION ALL)");
    expect(details.join()).not.toContain("TEMP B-TREE");
  });

  it("what no index answers is looked for in the rows of one index, in its order", async () => {
    const details = await explained({ where: { state: "open", grade: "a" } });
    expect(seeks(details, ["state"], "created_at")).toHaveLength(1);
    expect(details).toContain("SEARCH t USING INTEGER PRIMARY KEY (rowid=?)");
    expect(details.join()).not.toContain("TEMP B-TREE");
  });

  it.each(["asc", "desc"] as const)(
    "rows with a value and rows without are sought apart, %sending",
    async (direction) => {
      const details = await explained({ order: { by: "points", direction } });
      const halves = seeks(details, [], "points");
      expect(halves.map((half) => /points[=>]\?/.exec(half)?.[0]).sort()).toEqual(["points=?", "points>?"]);
    },
  );
});
