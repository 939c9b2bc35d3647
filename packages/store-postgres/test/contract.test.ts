import type { Store } from "@reeve/core/store";
import { contractCollections, describeStoreConcurrency, describeStoreContract } from "@reeve/testkit";
import { createDatabase, type TestDatabase } from "@reeve/testkit/postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { collectionMigration, createPostgresStore } from "../src/index.js";
import { faultsOf, readVolatilities, watchStatements } from "./cluster-rules.js";

const migrations = [collectionMigration(1_000, "contract", contractCollections)];
let database: TestDatabase;
let admin: pg.Client;
/** Deletes the rows of a case. Most tables are empty, and truncating makes new files for each table and its indexes. */
let deleteRows: string;
let watched: ReturnType<typeof watchStatements>;

beforeAll(async () => {
  database = await createDatabase(inject("postgresUrl"));
  const store = createPostgresStore({ url: database.url, migrations });
  await store.migrate();
  await store.close();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  // Triggers keep events from being deleted, but a replica's session skips them.
  await admin.query("set session_replication_role = replica");
  const { rows } = await admin.query<{ statements: string }>(
    "select string_agg('delete from ' || oid::regclass, ';') as statements from pg_class where relkind = 'r' and relrowsecurity",
  );
  deleteRows = rows[0]?.statements as string;
  watched = watchStatements();
});
afterAll(async () => {
  watched.stop();
  await admin.end();
  await database.drop();
});

let kinds = 0;

/** Gives each transaction a new kind, so that it always tries optimistic reads. */
function readingEarly(store: Store): Store {
  const transaction = store.transaction.bind(store);
  store.transaction = (tenantId, work) => transaction(tenantId, work, `kind ${++kinds}`);
  return store;
}

async function create(way: (store: Store) => Store = (store) => store) {
  const open = () => way(createPostgresStore({ url: database.url, migrations, poolSize: 6 }));
  const opened = [open()];
  return {
    open: () => {
      const store = open();
      opened.push(store);
      return store;
    },
    store: opened[0] as ReturnType<typeof open>,
    dispose: async () => {
      await Promise.all(opened.map((store) => store.close()));
      await admin.query(deleteRows);
    },
  };
}

describeStoreContract({
  name: "PostgreSQL",
  create: async () => {
    const { store, open, dispose } = await create();
    return { store, reopen: async () => open(), dispose };
  },
});

describe.each([
  ["PostgreSQL", undefined],
  ["PostgreSQL, reading early", readingEarly],
] as const)("%s", (name, way) => {
  describeStoreConcurrency({
    name,
    createPair: async () => {
      const { store, open, dispose } = await create(way);
      return { stores: [store, open()], dispose };
    },
  });
});

describe("the statements of all these cases", () => {
  it("could run on a cluster of the kind of Citus, each tenant's on one node", async () => {
    watched.stop();
    const volatilities = await readVolatilities(admin);
    const faults = [...watched.texts].flatMap((text) => faultsOf(text, volatilities).map((fault) => [fault, text]));
    expect(faults).toEqual([]);
    expect(watched.texts.size).toBeGreaterThan(100);
  });
});
