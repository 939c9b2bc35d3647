import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, type Store } from "@reeve/core";
import { createDatabase } from "@reeve/testkit/postgres";
import { afterAll, inject, onTestFinished, TestRunner } from "vitest";
import { type Address, storeAt } from "./address.js";

/** What goes with the file; what a test makes goes with the test. */
const lasting: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const undo of lasting.splice(0).reverse()) await undo();
});

/** Calls `undo` when the running test ends, or with the file when it is a hook that runs. The last one comes first. */
export function undoLater(undo: () => Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(undo);
  else lasting.push(undo);
}

/** An empty store of the kind that this run of the file is about: the project of vitest says which. */
export async function emptyStore(): Promise<Store> {
  const kind = inject("store") ?? "memory";
  if (kind === "memory") return createMemoryStore();
  const store = storeAt(await emptyDatabase(kind));
  undoLater(() => store.close());
  return store;
}

/** A migrated database without rows: a copy of one that each file migrates once. */
export async function emptyDatabase(kind: Address["kind"]): Promise<Address> {
  templates[kind] ??= kind === "sqlite" ? migratedFile() : migratedDatabase();
  const template = await templates[kind];
  if (kind === "sqlite") {
    const { file, remove } = temporaryFile();
    undoLater(remove);
    copyFileSync(template, file);
    return { kind, file };
  }
  const { url, drop } = await createDatabase(inject("postgresUrl"), { template });
  undoLater(drop);
  return { kind, url };
}

const templates: Partial<Record<Address["kind"], Promise<string>>> = {};

async function migratedFile(): Promise<string> {
  const { file, remove } = temporaryFile();
  lasting.push(remove);
  await migrate({ kind: "sqlite", file });
  return file;
}

async function migratedDatabase(): Promise<string> {
  const { url, drop } = await createDatabase(inject("postgresUrl"));
  lasting.push(drop);
  await migrate({ kind: "postgres", url });
  return new URL(url).pathname.slice(1);
}

async function migrate(address: Address): Promise<void> {
  const store = storeAt(address);
  await store.migrate();
  await store.close();
}

function temporaryFile() {
  const folder = mkdtempSync(join(tmpdir(), "reeve-rules-"));
  return { file: join(folder, "reeve.sqlite"), remove: async () => rmSync(folder, { recursive: true }) };
}
