// Writes the databases that tests upgrade: the world of the testkit, as the present sources store it. Before the first
// release they follow migration 1. After a release its files stay, and the next release gets files of its own.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Store } from "@reeve/core/store";
import { createPostgresStore } from "@reeve/store-postgres";
import { createSqliteStore, settleSqlite } from "@reeve/store-sqlite";
import { createDatabase, startPostgres } from "@reeve/testkit/postgres";
import { createWorld } from "../packages/testkit/src/world/index.js";
import { dumpRows } from "./lib/dump-rows.js";
import { root, say } from "./lib/workspace.mjs";

const [release = "unreleased"] = process.argv.slice(2);

await sqlite();
await postgres();

async function sqlite(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "reeve-fixture-"));
  try {
    const file = join(folder, "reeve.sqlite");
    await fill(createSqliteStore({ file }));
    settleSqlite(file);
    write(`packages/store-sqlite/test/fixtures/${release}.sqlite.gz`, readFileSync(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function postgres(): Promise<void> {
  const server = await startPostgres({ inMemory: true });
  try {
    const { url } = await createDatabase(server.url());
    const store = createPostgresStore({ url });
    const schema = (await store.migrationSql?.()) ?? "";
    await fill(store);
    const text = `${schema}${await dumpRows(url)}`;
    write(`packages/store-postgres/test/fixtures/${release}.sql.gz`, Buffer.from(text));
  } finally {
    await server.stop();
  }
}

async function fill(store: Store): Promise<void> {
  const { controlPlane } = await createWorld({ store });
  await controlPlane.close();
}

function write(path: string, bytes: Uint8Array): void {
  const packed = gzipSync(bytes, { level: 9 });
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), packed);
  say(`${path}: ${Math.ceil(packed.length / 1024)} KiB of ${Math.ceil(bytes.length / 1024)} KiB`);
}
