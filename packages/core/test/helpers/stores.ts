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
  return kind === "memory" ? createMemoryStore() : opened(await emptyDatabase(kind));
}

/** A store on a copy of what `fill` puts into an empty one; each file fills one for each key. Not for memory. */
export async function copiedStore(key: string, fill: Fill): Promise<Store> {
  const kind = inject("store");
  if (kind === undefined) throw new Error("what is in memory has no copies");
  return opened(await copied(kind, key, fill));
}

/** A migrated database without rows. */
export async function emptyDatabase(kind: Address["kind"]): Promise<Address> {
  return copied(kind, "empty", async () => {});
}

function opened(address: Address): Store {
  const store = storeAt(address);
  undoLater(() => store.close());
  return store;
}

type Fill = (store: Store) => Promise<void>;

/** The databases that copies are made of; nobody is connected to them any more. */
const originals = new Map<string, Promise<Address>>();

async function copied(kind: Address["kind"], key: string, fill: Fill): Promise<Address> {
  const name = `${kind} ${key}`;
  const original = originals.get(name) ?? filled(kind, fill);
  originals.set(name, original);
  const { address, remove } = await newDatabase(kind, await original);
  undoLater(remove);
  return address;
}

async function filled(kind: Address["kind"], fill: Fill): Promise<Address> {
  const { address, remove } = await newDatabase(kind);
  lasting.push(remove);
  const store = storeAt(address);
  await store.migrate();
  await fill(store);
  await store.close();
  return address;
}

interface NewDatabase {
  readonly address: Address;
  readonly remove: () => Promise<void>;
}

async function newDatabase(kind: Address["kind"], original?: Address): Promise<NewDatabase> {
  if (kind === "sqlite") {
    const folder = mkdtempSync(join(tmpdir(), "reeve-rules-"));
    const file = join(folder, "reeve.sqlite");
    if (original?.kind === "sqlite") copyFileSync(original.file, file);
    return { address: { kind, file }, remove: async () => rmSync(folder, { recursive: true }) };
  }
  const template = original?.kind === "postgres" ? { template: new URL(original.url).pathname.slice(1) } : {};
  const { url, drop } = await createDatabase(inject("postgresUrl"), template);
  return { address: { kind, url }, remove: drop };
}
