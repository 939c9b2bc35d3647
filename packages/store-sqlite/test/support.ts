import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "@reeve/core/store";
import { contractCollections } from "@reeve/testkit";
import { inject, onTestFinished } from "vitest";
import { collectionMigration, createSqliteStore, type SqliteStoreOptions } from "../src/index.js";

/** The tables of the collections that tests write to. */
export const migrations = [collectionMigration(1_000, "contract", contractCollections)];

/** A path for a database that is removed with the test. */
export function temporaryFile(): string {
  const folder = mkdtempSync(join(inject("temporaryFolder"), "reeve-sqlite-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "reeve.sqlite");
}

/** A migrated store on a file of its own, closed with the test. */
export async function openStore(options: Partial<SqliteStoreOptions> = {}): Promise<{ store: Store; file: string }> {
  const file = options.file ?? temporaryFile();
  const store = createSqliteStore({ migrations, ...options, file });
  onTestFinished(() => store.close());
  await store.migrate();
  return { store, file };
}
