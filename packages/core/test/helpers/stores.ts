import { appendFileSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createMemoryStore, type Store } from "@reeve/core";
import { createDatabase, runSql } from "@reeve/testkit/postgres";
import { inject } from "vitest";
import { copyMemoryStore } from "#store/memory/memory-store.js";
import { type Address, clusterUrl, storeAt } from "./address.js";
import { closeForCopies, copyOnNodes, distributedOriginal } from "./cluster-databases.js";
import { keptStore, NOTE_ROWS } from "./kept-databases.js";
import { witnessed } from "./store-witness.js";
import { undoLater } from "./undo.js";

/** An empty store of the kind under test, which the vitest project determines. */
export async function emptyStore(): Promise<Store> {
  return copiedStore("empty", async () => undefined);
}

/** A store on a copy of what `fill` writes to an empty one. Each worker fills one store per key. */
export async function copiedStore(key: string, fill: Fill): Promise<Store> {
  const kind = inject("store");
  if (kind === undefined) return witnessed(await copiedMemory(key, fill));
  // What keeps a database for later tests knows one server's transactions only.
  const isKept = kind === "postgres" && clusterUrl === "";
  return witnessed(await (isKept ? kept(key, fill) : copied(kind, key, fill).then(opened)));
}

/** The memory stores that are copied. */
const filledMemories = new Map<string, Promise<Store>>();

async function copiedMemory(key: string, fill: Fill): Promise<Store> {
  const filling = async () => {
    const store = createMemoryStore();
    await fill(store);
    return store;
  };
  const original = filledMemories.get(key) ?? filling();
  filledMemories.set(key, original);
  return copyMemoryStore(await original);
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

/** The databases that are copied. No connection to them is open. They are deleted at the end of the run. */
const originals = new Map<string, Promise<Address>>();

async function copied(kind: Address["kind"], key: string, fill: Fill): Promise<Address> {
  const { address, remove } = await newDatabase(kind, await originalOf(kind, key, fill));
  undoLater(remove);
  return address;
}

async function kept(key: string, fill: Fill): Promise<Store> {
  const original = (await originalOf("postgres", key, fill)) as Address & { readonly kind: "postgres" };
  const { store, end } = await keptStore(inject("postgresSocketUrl"), databaseOf(original));
  undoLater(end);
  return store;
}

function originalOf(kind: Address["kind"], key: string, fill: Fill): Promise<Address> {
  const name = `${kind} ${key}`;
  const original = originals.get(name) ?? filled(kind, fill);
  originals.set(name, original);
  return original;
}

async function filled(kind: Address["kind"], fill: Fill): Promise<Address> {
  if (kind === "postgres" && clusterUrl !== "") return filledOnCluster(fill);
  const { address } = await newDatabase(kind);
  if (address.kind === "postgres") dropAfterRun(databaseOf(address));
  const store = storeAt(address);
  await store.migrate();
  await fill(store);
  await store.close();
  if (address.kind === "postgres") await runSql(address.url, NOTE_ROWS);
  return address;
}

async function filledOnCluster(fill: Fill): Promise<Address> {
  const { name, url } = await copyOnNodes(await distributedOriginal(dropAfterRun));
  dropAfterRun(name);
  const address = { kind: "postgres", url } as const;
  const store = storeAt(address);
  await fill(store);
  await store.close();
  await closeForCopies(name);
  return address;
}

const dropAfterRun = (name: string) => appendFileSync(inject("databasesToDrop"), `${name}\n`);

interface NewDatabase {
  readonly address: Address;
  readonly remove: () => Promise<void>;
}

async function newDatabase(kind: Address["kind"], original?: Address): Promise<NewDatabase> {
  if (kind === "sqlite") {
    const folder = mkdtempSync(join(inject("temporaryFolder"), "sqlite-"));
    const file = join(folder, "reeve.sqlite");
    if (original?.kind === "sqlite") copyFileSync(original.file, file);
    return { address: { kind, file }, remove: async () => rmSync(folder, { recursive: true }) };
  }
  if (clusterUrl !== "" && original?.kind === "postgres") {
    const { url, drop } = await copyOnNodes(databaseOf(original));
    return { address: { kind, url }, remove: drop };
  }
  const template = original?.kind === "postgres" ? { template: databaseOf(original) } : {};
  const { url, drop } = await createDatabase(inject("postgresSocketUrl"), template);
  return { address: { kind, url }, remove: drop };
}

const databaseOf = ({ url }: { readonly url: string }) => new URL(url).pathname.slice(1);
