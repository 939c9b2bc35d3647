import { contractCollections, describeStoreConcurrency, describeStoreContract } from "@reeve/testkit";
import { createDatabase, type TestDatabase } from "@reeve/testkit/postgres";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { collectionMigration, createPostgresStore } from "../src/index.js";

const migrations = [collectionMigration(1_000, "contract", contractCollections)];
let database: TestDatabase;
let admin: pg.Client;

beforeAll(async () => {
  database = await createDatabase(inject("postgresUrl"));
  const store = createPostgresStore({ url: database.url, migrations });
  await store.migrate();
  await store.close();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  // Events cannot be removed; a replica's session is not asked.
  await admin.query("set session_replication_role = replica");
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});

async function create() {
  const open = () => createPostgresStore({ url: database.url, migrations, poolSize: 6 });
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
      const { rows } = await admin.query<{ tables: string }>(
        "select string_agg(quote_ident(relname), ', ') as tables from pg_class where relkind = 'r' and relrowsecurity",
      );
      await admin.query(`truncate ${rows[0]?.tables}`);
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

describeStoreConcurrency({
  name: "PostgreSQL",
  createPair: async () => {
    const { store, open, dispose } = await create();
    return { stores: [store, open()], dispose };
  },
});
