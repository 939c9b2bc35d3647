import { createHash } from "node:crypto";
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createDatabase, type PostgresServer, startPostgres } from "@reeve/testkit/postgres";
import Sqlite from "better-sqlite3";
import { type Estate, seedEstate, signIn } from "./estate.js";
import type { Progress } from "./progress.js";
import { SearchIndex } from "./reference/search-index.js";
import { searchSettled } from "./search-settled.js";
import type { Database } from "./server.js";
import { openStore } from "./subject.js";

/** Raise when the seeded records change. */
const SEED_VERSION = 2;
const INDEX_BATCH = 2_000;

/** A seeded database with a token for it. */
export interface Ground {
  readonly estate: Estate;
  readonly token: string;
  /** The database of a contender: a copy of its own on SQLite, the shared one on PostgreSQL. */
  database(contender: string): Database;
}

/** A database without tables, and how to dispose of it. */
export interface EmptyDatabase {
  readonly database: Database;
  remove(): Promise<void>;
}

/** Creates and disposes of databases. */
export interface Grounds {
  ground(size: number): Promise<Ground>;
  empty(): Promise<EmptyDatabase>;
  close(): Promise<void>;
}

/** SQLite files, seeded once per size and schema and cached in the folder `cache`. Measurements use copies. */
export function sqliteGrounds(progress: Progress, cache: string): Grounds {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, "run-"));
  return {
    async ground(size) {
      const file = join(cache, `${size}-${await schemaHash(work)}-${SEED_VERSION}.sqlite`);
      if (!existsSync(file)) await seedFile(file, size, progress);
      const base = join(work, `${size}.sqlite`);
      copyFileSync(file, base, constants.COPYFILE_FICLONE);
      const store = openStore({ store: "sqlite", location: base });
      const token = await signIn(store);
      // Hand-written servers know assets only, so all other rows are indexed before the file is copied.
      await searchSettled(base, "the seeded file");
      await store.close();
      return {
        estate: JSON.parse(readFileSync(`${file}.json`, "utf8")) as Estate,
        token,
        database(contender) {
          const location = join(work, `${size}-${contender}.sqlite`);
          if (!existsSync(location)) copyFileSync(base, location, constants.COPYFILE_FICLONE);
          return { store: "sqlite", location };
        },
      };
    },
    async empty() {
      const folder = mkdtempSync(join(work, "empty-"));
      const remove = async () => rmSync(folder, { recursive: true, force: true });
      return { database: { store: "sqlite", location: join(folder, "reeve.sqlite") }, remove };
    },
    async close() {
      rmSync(work, { recursive: true, force: true });
    },
  };
}

async function seedFile(file: string, size: number, progress: Progress): Promise<void> {
  const making = `${file}.making`;
  for (const end of ["", "-wal", "-shm"]) rmSync(`${making}${end}`, { force: true });
  const store = openStore({ store: "sqlite", location: making });
  await store.migrate();
  const estate = await seedEstate(store, size, progress);
  await store.close();
  const db = new Sqlite(making);
  db.pragma("synchronous = OFF");
  const index = new SearchIndex(db);
  for (let done = 0, some = 1; some > 0; done += some) {
    some = index.indexSome(INDEX_BATCH);
    progress.at(`indexing for search: ${done.toLocaleString("en")} of ${size.toLocaleString("en")}`);
  }
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
  writeFileSync(`${file}.json`, JSON.stringify(estate));
  renameSync(making, file);
  progress.done(`seeded ${size.toLocaleString("en")} assets on SQLite, kept for the next run`);
}

/** A hash of the schema, so that a cached database of another schema is not used. */
async function schemaHash(folder: string): Promise<string> {
  const location = join(folder, "schema.sqlite");
  const store = openStore({ store: "sqlite", location });
  await store.migrate();
  await store.close();
  const db = new Sqlite(location);
  const schema = db.prepare("select group_concat(sql, ';') from sqlite_master").pluck().get() as string;
  db.close();
  return createHash("sha256").update(schema).digest("hex").slice(0, 12);
}

/** A real, durable PostgreSQL, seeded anew and removed at the end. */
export async function postgresGrounds(progress: Progress): Promise<Grounds & { readonly version: string }> {
  const server: PostgresServer = await startPostgres({
    settings: {
      fsync: "on",
      synchronous_commit: "on",
      full_page_writes: "on",
      shared_buffers: "1GB",
      max_wal_size: "4GB",
    },
  });
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>("show server_version");
  await client.end();
  return {
    version: rows[0]?.server_version ?? "unknown",
    async ground(size) {
      const { url } = await createDatabase(server.url());
      const database: Database = { store: "postgres", location: url };
      const store = openStore(database);
      await store.migrate();
      const estate = await seedEstate(store, size, progress);
      const token = await signIn(store);
      await store.close();
      const analyst = new pg.Client({ connectionString: url });
      await analyst.connect();
      await analyst.query("vacuum (analyze)");
      await analyst.query("checkpoint");
      await analyst.end();
      progress.done(`seeded ${size.toLocaleString("en")} assets on Postgres`);
      return { estate, token, database: () => database };
    },
    async empty() {
      const { url, drop } = await createDatabase(server.url());
      return { database: { store: "postgres", location: url }, remove: drop };
    },
    close: () => server.stop(),
  };
}
