import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contractCollections, describeStoreConcurrency, describeStoreContract, unwatchable } from "@reeve/testkit";
import { collectionMigration, createSqliteStore } from "../src/index.js";

const migrations = [collectionMigration(1_000, "contract", contractCollections)];

async function create() {
  const folder = mkdtempSync(join(tmpdir(), "reeve-sqlite-"));
  const open = () => createSqliteStore({ file: join(folder, "reeve.sqlite"), migrations });
  const opened = [open()];
  await opened[0]?.migrate();
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
  skips: unwatchable("SQLite tells nobody what another process has written"),
});

describeStoreConcurrency({
  name: "SQLite",
  createPair: async () => {
    const { store, open, dispose } = await create();
    return { stores: [store, open()], dispose };
  },
});
