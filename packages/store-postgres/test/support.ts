import { appendFileSync } from "node:fs";
import type { Store } from "@reeve/core/store";
import { contractCollections } from "@reeve/testkit";
import { createDatabase } from "@reeve/testkit/postgres";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { collectionMigration, createPostgresStore, type PostgresStoreOptions } from "../src/index.js";

/** The tables of the collections that tests write to. */
export const migrations = [collectionMigration(1_000, "contract", contractCollections)];

/** An empty database that goes with the test. */
export async function emptyDatabase(): Promise<string> {
  const database = await createDatabase(inject("postgresUrl"));
  onTestFinished(() => database.drop());
  return database.url;
}

/** A store, closed with the test. */
export function openStore(url: string, options: Partial<PostgresStoreOptions> = {}): Store {
  const store = createPostgresStore({ url, migrations, ...options });
  onTestFinished(() => store.close());
  return store;
}

/** The migrated databases that are copied, by their runtime role. No connection to them is open. */
const originals = new Map<string, Promise<string>>();

async function migrated(runtimeRole: string | undefined): Promise<string> {
  const { url } = await createDatabase(inject("postgresUrl"));
  const name = new URL(url).pathname.slice(1);
  appendFileSync(inject("databasesToDrop"), `${name}\n`);
  const store = createPostgresStore({ url, migrations, ...(runtimeRole === undefined ? {} : { runtimeRole }) });
  await store.migrate();
  await store.close();
  return name;
}

/** A migrated store on a database of its own, which is copied, because that takes a tenth of the time of migrating it. */
export async function freshStore(options: Partial<PostgresStoreOptions> = {}): Promise<{ store: Store; url: string }> {
  const { runtimeRole } = options;
  const original = originals.get(runtimeRole ?? "") ?? migrated(runtimeRole);
  originals.set(runtimeRole ?? "", original);
  const { url, drop } = await createDatabase(inject("postgresUrl"), { template: await original });
  onTestFinished(drop);
  return { store: openStore(url, options), url };
}

/** A connection of the administrator or another role, whose search path is Reeve's schema. */
export async function connect(url: string, options = ""): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: `${options} -c search_path=reeve` });
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  return client;
}
