import { contractCollections, describeStoreConcurrency, describeStoreContract } from "@reeve/testkit";
import { createDatabase, type TestDatabase } from "@reeve/testkit/postgres";
import { afterAll, beforeAll, inject } from "vitest";
import { collectionMigration, createPostgresStore } from "../src/index.js";

const migrations = [collectionMigration(1_000, "contract", contractCollections)];
let template: TestDatabase;

beforeAll(async () => {
  template = await createDatabase(inject("postgresUrl"));
  const store = createPostgresStore({ url: template.url, migrations });
  await store.migrate();
  await store.close();
});
afterAll(() => template.drop());

async function create(pooler: "none" | "transaction") {
  const database = await createDatabase(inject("postgresUrl"), { template: new URL(template.url).pathname.slice(1) });
  const url = new URL(database.url);
  const open = () => createPostgresStore({ url: url.href, migrations, pooler, poolSize: 6 });
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
      await database.drop();
    },
  };
}

describeStoreContract({
  name: "PostgreSQL",
  create: async () => {
    const { store, open, dispose } = await create("none");
    return { store, reopen: async () => open(), dispose };
  },
});

describeStoreConcurrency({
  name: "PostgreSQL",
  createPair: async () => {
    const { store, open, dispose } = await create("none");
    return { stores: [store, open()], dispose };
  },
});
