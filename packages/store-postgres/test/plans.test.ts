import { collections } from "@reeve/core/reference";
import { type FieldType, type FindQuery, planFind, type StoredCollection } from "@reeve/core/store";
import {
  databaseIndexes,
  eventPageQuery,
  findValues,
  indexName,
  pageQuery,
  Queries,
  type TableShape,
  tableOf,
  uniqueName,
} from "@reeve/store-sql";
import { contractCollections, event, thing, things } from "@reeve/testkit";
import { createDatabase, runSql, type TestDatabase } from "@reeve/testkit/postgres";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { PLANNING } from "../src/connect/roles.js";
import { createPostgresStore } from "../src/index.js";
import { dialect } from "../src/statement/dialect.js";
import { connect, freshStore, migrations } from "./support.js";

type AnyCollection = StoredCollection<never>;
const queries = new Queries(dialect);
const sample = { text: "x", texts: "x", integer: 1, boolean: true, time: "2026-01-01T00:00:00.000Z" } as const;
const all = [...collections, ...contractCollections] as unknown as readonly AnyCollection[];

/** A database with tables large enough for indexes: many tenants with 80 rows each. */
let filled: TestDatabase;
beforeAll(async () => {
  filled = await createDatabase(inject("postgresUrl"));
  const store = createPostgresStore({ url: filled.url, migrations });
  await store.migrate();
  await store.close();
  for (const collection of all) await runSql(filled.url, fill(tableOf(collection)));
  await runSql(filled.url, "vacuum analyze");
}, 300_000);
afterAll(() => filled.drop());

/** A connection that plans as those of requests do. */
const planning = (url: string) =>
  connect(url, ["role=reeve_app", ...PLANNING.map((pair) => pair.join("="))].map((each) => `-c ${each}`).join(" "));

/** Explains statements as they are planned when prepared. */
async function explainer(): Promise<(sql: string, values: readonly unknown[]) => Promise<string>> {
  const client = await planning(filled.url);
  let at = 0;
  return async (sql, values) => {
    const name = `p${++at}`;
    await client.query(`prepare ${name} as ${sql}`);
    const list = values.map((value) => literal(client, value)).join(", ");
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain (costs off) execute ${name}(${list})`);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };
}

function fill({ spec }: TableShape, rows = 2_000): string {
  const keys = new Set(Object.values(spec.unique).flat());
  const value = (column: string, type: FieldType) => {
    const n = keys.has(column) ? "i" : "i % 5";
    if (type === "boolean") return "i % 2 = 0";
    if (type === "integer") return n;
    return type === "time"
      ? `to_char(timestamp '2026-01-01' + interval '1 second' * (i % 5000), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
      : `'v' || (${n})`;
  };
  const columns = Object.entries(spec.columns);
  const names = [
    "tenant_id",
    "id",
    "version",
    "created_at",
    ...columns.map(([name]) => name),
    ...(spec.searchable ? ["search_text"] : []),
    "body",
  ];
  const values = [
    "'t' || (i % 25)",
    "'x' || i",
    "1",
    value("created_at", "time"),
    ...columns.map(([name, type]) => value(name, type)),
    ...(spec.searchable ? ["'text ' || i"] : []),
    `repeat('x', 300)`,
  ];
  return `insert into reeve."${spec.name}" (${names.join(", ")}) select ${values.join(", ")} from generate_series(1, ${rows}) i`;
}

function literal(client: pg.Client, value: unknown): string {
  return Array.isArray(value) ? "'{}'" : client.escapeLiteral(String(value));
}

/**
 * Indexes that begin with the columns of a key: its own, those of an order by the same columns, and the one that finds a key
 * in all tenants. Without statistics they cost the planner the same.
 */
function indexesOf({ spec }: TableShape, key: string): readonly string[] {
  const columns = databaseIndexes(spec).find(({ name }) => name === uniqueName(spec.name, key))?.columns ?? [];
  const begins = (index: readonly string[], by: readonly string[]) => by.every((column, at) => index[at] === column);
  const everywhere = columns.filter((column) => column !== "tenant_id");
  return databaseIndexes(spec).flatMap((index) =>
    begins(index.columns, columns) || begins(index.columns, everywhere) ? [index.name] : [],
  );
}

describe("plans", () => {
  it("every declared index is used behind the wall, in both directions and after a position", {
    timeout: 120_000,
  }, async () => {
    const explain = await explainer();
    for (const collection of all) {
      const table = tableOf(collection);
      const typeOf = (field: string) => collection.fields[field]?.type ?? "time";
      for (const index of collection.indexes) {
        const by = index.by ?? "createdAt";
        const where = Object.fromEntries(index.where.map((field) => [field, sample[typeOf(field)]]));
        const columns = {
          where: index.where.map((field) => table.columnOf[field] as string),
          by: table.columnOf[by] as string,
        };
        for (const direction of ["asc", "desc"] as const) {
          for (const after of [undefined, { by: sample[typeOf(by)] as string, id: "x" }]) {
            const plan = planFind(collection, {
              where,
              order: { by, direction },
              ...(index.partial ? { range: { through: sample.time } } : {}),
              size: 25,
              ...(after ? { after } : {}),
            });
            const query = pageQuery(queries, table, plan);
            const values = findValues(dialect, "t", plan);
            const text = await explain(
              query.sql,
              query.slots.map((slot) => values[slot]),
            );
            expect(text).toContain(`using ${indexName(table.name, columns)} on`);
            expect(text).not.toMatch(/Seq Scan on|Bitmap/);
            // A union of rows with a value and rows with `null` has at most two pages, which may be sorted.
            if (!text.includes("Append")) expect(text).not.toContain("Sort");
          }
        }
      }
    }
  });

  it("many keys are sought by the index of their key, also where the planner knows nothing yet of what is there", async () => {
    const { store, url } = await freshStore();
    const client = await planning(url);
    await store.close();
    let at = 0;
    for (const collection of all) {
      const table = tableOf(collection);
      for (const key of Object.keys(collection.unique)) {
        const query = queries.lookupMany(table, key);
        const name = `k${++at}`;
        await client.query(`prepare ${name} as ${query.sql}`);
        const values = query.slots.map((slot) => (slot === "tenant" ? "'t'" : "'{}'")).join(", ");
        const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain (costs off) execute ${name}(${values})`);
        const text = rows.map((row) => row["QUERY PLAN"].replaceAll('"', "")).join("\n");
        expect(
          indexesOf(table, key).some((index) => text.includes(`using ${index} on`)),
          text,
        ).toBe(true);
        expect(text).not.toMatch(/Seq Scan on|Sort/);
      }
    }
  });

  it("rows are sought by their ids, also where the planner knows nothing yet of what is there", async () => {
    const { store, url } = await freshStore();
    await store.close();
    const admin = await connect(url);
    const client = await planning(url);
    for (const collection of all) {
      const table = tableOf(collection);
      await admin.query(`alter table reeve."${table.name}" set (autovacuum_enabled = false)`);
      await admin.query(fill(table, 400));
      const statements = { get: queries.get(table), many: queries.getMany(table), scan: queries.scan(table, true) };
      for (const [name, { sql, slots }] of Object.entries(statements)) {
        await client.query(`prepare ${name} as ${sql}`);
        const value = { tenant: "'t1'", ids: "'{x1}'", size: "25" } as Readonly<Record<string, string>>;
        const values = slots.map((slot) => value[slot] ?? "'x1'").join(", ");
        const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain (costs off) execute ${name}(${values})`);
        const text = rows.map((row) => row["QUERY PLAN"].replaceAll('"', "")).join("\n");
        expect(text, `${name} of ${table.name}`).toContain(`using ${table.name}_pkey on`);
        expect(text).toMatch(/Index Cond: \(\(tenant_id = .*\) AND \(id /);
        await client.query(`deallocate ${name}`);
      }
      await admin.query(`truncate reeve."${table.name}"`);
    }
  });

  it("the newest of each value are sought by the index of their field", async () => {
    const explain = await explainer();
    const indexes = all.flatMap((collection) => collection.indexes.map((index) => ({ collection, index })));
    const alone = indexes.filter(({ collection, index: { where, by } }) => {
      return where.length === 1 && by === undefined && collection.fields[where[0] as string]?.type === "text";
    });
    expect(alone.length).toBeGreaterThan(5);
    for (const { collection, index } of alone) {
      const table = tableOf(collection);
      const column = table.columnOf[index.where[0] as string] as string;
      const query = queries.findTopPerKey(table, { index });
      const text = await explain(
        query.sql,
        query.slots.map((slot) => (slot === "tenant" ? "t" : slot === "size" ? "25" : ["x"])),
      );
      expect(text).toContain(`using ${indexName(table.name, { where: [column], by: "created_at" })} on`);
      expect(text).not.toMatch(/Seq Scan on|Bitmap/);
    }
  });

  it("the tenant is set before rows are sought, as they wait for what setting it returned", async () => {
    const explain = await explainer();
    const query = queries.get(tableOf(things));
    const text = await explain(query.sql, ["t", "x"]);
    expect(text).toMatch(
      /^Nested Loop\n\s+->\s+Result\n\s+->\s+Result\n\s+One-Time Filter: \(.*set_config.* IS NOT NULL\)/,
    );
    expect(text).toContain("using contract_things_pkey on");
    expect(text).toMatch(/Index Cond: \(\(tenant_id = .* AND \(id = /);
  });

  it("several streams of events are sought by their keys as far as a page reaches", async () => {
    const { store, url } = await freshStore();
    const events = (first: number) => Array.from({ length: 1_000 }, (_, n) => event(first + n, [`s${n % 2}`, "all"]));
    for (let first = 1; first < 5_000; first += 1_000) await store.forTenant("t").append(...events(first));
    await (await connect(url)).query("vacuum analyze");
    const { sql, slots } = eventPageQuery(queries, { streams: 2, before: true, offset: false });
    const client = await planning(url);
    await client.query(`prepare several as ${sql}`);
    const values = { tenant: "t", stream0: "all", stream1: "s1", before: 4_000, fetch: 21, reach: 21 };
    const list = slots.map((slot) => literal(client, values[slot as keyof typeof values])).join(", ");
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain (costs off) execute several(${list})`);
    const text = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(text.match(/Index Only Scan.* using event_streams_pkey/g), text).toHaveLength(2);
    expect(text).toMatch(/Index Scan Backward using events_pkey on events e\n.*seq = ANY/);
    expect(text).not.toMatch(/Seq Scan|Sort|Join Filter/);
  });

  it("searches use the trigram index although row-level security holds", async () => {
    const { store, url } = await freshStore();
    await store.forTenant("t").insertMany(
      things,
      Array.from({ length: 3_000 }, (_, n) => thing(n, { note: `number ${n} ${"abcdefghij".slice(n % 10)}` })),
    );
    await store.forTenant("t").append(event(1));
    const admin = await connect(url);
    await admin.query("vacuum analyze contract_things");
    const client = await connect(url, "-c role=reeve_app_search");
    const { rows } = await client.query<{ "QUERY PLAN": string }>(
      "explain (costs off) select id from contract_things where tenant_id = 't' and removed_at is null and search_text like '%number 77%'",
    );
    expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("gx_contract_things");
    expect((await store.forTenant("t").find(things, { search: "number 77", size: 99 })).rows.length).toBe(57);
  });

  it("K5 a search reads the entries of its own tenant, however many hits others have", async () => {
    const { store, url } = await freshStore();
    const notes = (count: number, note: (n: number) => string) =>
      Array.from({ length: count }, (_, n) => thing(n, { note: note(n) }));
    await store.forTenant("others").insertMany(
      things,
      notes(6_000, (n) => `robot ${n}`),
    );
    await store.forTenant("own").insertMany(
      things,
      notes(2_000, (n) => (n % 500 === 0 ? `robot ${n}` : `agent ${n}`)),
    );
    await (await connect(url)).query("vacuum analyze contract_things");
    const client = await connect(url, "-c role=reeve_app_search -c enable_seqscan=off");
    const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: { Plans: [Record<string, unknown>] } }] }>(
      "explain (analyze, format json) select id from contract_things where tenant_id = 'own' and removed_at is null and search_text like '%robot%'",
    );
    expect(rows[0]?.["QUERY PLAN"][0].Plan.Plans[0]).toMatchObject({
      "Index Name": "gx_contract_things",
      "Actual Rows": 4,
    });
    expect((await store.forTenant("own").list(things, { search: "robot", size: 9 })).count).toBe(4);
  });

  it("published lists merge seeks, look at the rows of one index, and have rows without a value in its order", async () => {
    const explain = await explainer();
    const tickets = all.find(({ name }) => name === "contract_tickets") as AnyCollection;
    const table = tableOf(tickets);
    const explained = async (query: Omit<FindQuery, "size">) => {
      const plan = planFind(tickets, { ...query, size: 25 });
      const { sql, slots } = pageQuery(queries, table, plan);
      const values = findValues(dialect, "t1", plan);
      const text = await explain(
        sql,
        slots.map((slot) => values[slot]),
      );
      expect(text).not.toMatch(/Seq Scan|\bSort$/m);
      return text;
    };
    const scans = (text: string, where: readonly string[], by: string) =>
      text.split(`using ${indexName(table.name, { where, by })} on`).length - 1;
    const merged = await explained({ where: { state: ["open", "done"] } });
    expect(merged).toContain("Merge Append");
    expect(scans(merged, ["state"], "created_at")).toBe(2);
    const bounded = await explained({ where: { state: "open", grade: "a" } });
    expect(scans(bounded, ["state"], "created_at")).toBe(1);
    for (const direction of ["asc", "desc"] as const)
      expect(scans(await explained({ order: { by: "points", direction } }), [], "points")).toBe(1);
  });
});
