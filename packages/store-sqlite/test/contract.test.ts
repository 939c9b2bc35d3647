import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { contractCollections, describeStoreConcurrency, describeStoreContract, unwatchable } from "@reeve/testkit";
import { afterAll, beforeAll, inject } from "vitest";
import { collectionMigration, createSqliteStore, type DriverName } from "../src/index.js";

const migrations = [collectionMigration(1_000, "contract", contractCollections)];

/** Another library than the usual one, where another runtime runs this file. */
const driver = process.env.REEVE_TEST_DRIVER as DriverName | undefined;

/** Nothing here outlives the run, so writes need not wait for the disk. */
const openAt = (folder: string) =>
  createSqliteStore({
    file: join(folder, "reeve.sqlite"),
    migrations,
    synchronous: "NORMAL",
    ...(driver === undefined ? {} : { driver }),
  });

/** Holds a migrated file that is copied for every case. */
let original: string;
beforeAll(async () => {
  original = mkdtempSync(join(inject("temporaryFolder"), "reeve-sqlite-"));
  const store = openAt(original);
  await store.migrate();
  await store.close();
});
afterAll(() => rmSync(original, { recursive: true }));

async function create() {
  const folder = mkdtempSync(join(inject("temporaryFolder"), "reeve-sqlite-"));
  copyFileSync(join(original, "reeve.sqlite"), join(folder, "reeve.sqlite"));
  const open = () => openAt(folder);
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
      rmSync(folder, { recursive: true });
    },
  };
}

describeStoreContract({
  name: "SQLite",
  create: async () => {
    const { store, open, dispose } = await create();
    return { store, reopen: async () => open(), dispose };
  },
  skips: unwatchable("SQLite tells that another process has written, and not which rows"),
});

describeStoreConcurrency({
  name: "SQLite",
  createPair: async () => {
    const { store, open, dispose } = await create();
    return { stores: [store, open()], dispose };
  },
});
