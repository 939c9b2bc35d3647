import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Store } from "@reeve/core/store";
import { createDatabase, startPostgres } from "@reeve/testkit/postgres";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { assets, ISSUER, MASTER_KEY, PERSON } from "./estate.js";
import { Progress } from "./progress.js";
import { createdEvent } from "./reference/event.js";
import { sampleAsset } from "./samples.js";
import { searchSettled } from "./search-settled.js";
import { openControlPlane, openStore } from "./subject.js";

const BYTES_USAGE = `npm run bench -- bytes [options]
  --assets 10000,1000000   sizes of the tenant, with commas
  --stores sqlite,postgres`;

const BATCH = 1_000;
/** Whose space counts: tables with their indexes. */
const OF_EVENTS = /reeve_(events|event_streams|uq_events|pk_events|sqlite_autoindex_reeve_event)/;

/** Bytes of every table and index, by name. */
type Sizes = ReadonlyMap<string, number>;

/** Measures how many bytes of a database an asset takes, and an event about one. */
export async function benchBytes(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      assets: { type: "string", default: "10000,1000000" },
      stores: { type: "string", default: "sqlite,postgres" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${BYTES_USAGE}\n`);
  for (const kind of values.stores.split(","))
    for (const size of values.assets.split(",").map(Number)) {
      const sizes = kind === "sqlite" ? await onSqlite(size) : await onPostgres(size);
      process.stdout.write(`${kind}, ${size.toLocaleString("en")} assets: ${reported(sizes, size)}\n`);
    }
}

function reported(sizes: Sizes, count: number): string {
  const sum = (isOne: (name: string) => boolean) =>
    Math.round([...sizes].reduce((total, [name, bytes]) => total + (isOne(name) ? bytes : 0), 0) / count);
  const event = sum((name) => OF_EVENTS.test(name));
  const asset = sum((name) => name.includes("ai_assets"));
  const all = sum(() => true);
  return `${asset} bytes per asset, ${event} per event, ${all - asset - event} of search and counters, ${all} in all`;
}

async function seed(store: Store, count: number): Promise<void> {
  const progress = new Progress();
  const controlPlane = openControlPlane(store, { issuer: ISSUER, masterKey: MASTER_KEY });
  const { tenantId, userId } = await controlPlane.call("registration.register", undefined, {
    body: { organization: "Bench", ...PERSON },
  });
  const newest = Date.now();
  for (let start = 0; start < count; start += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, count - start) }, (_, at) =>
      sampleAsset(start + at, count, userId, newest),
    );
    await store.transaction(tenantId, async (tx) => {
      await tx.insertMany(assets, records);
      await tx.append(...records.map((asset) => createdEvent(asset, userId, "req_bench", newest)));
    });
    progress.at(`stored ${(start + records.length).toLocaleString("en")} of ${count.toLocaleString("en")} assets`);
  }
}

async function onSqlite(count: number): Promise<Sizes> {
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-bytes-"));
  const location = join(folder, "bytes.sqlite");
  try {
    const store = openStore({ store: "sqlite", location });
    await seed(store, count);
    await searchSettled(location, "the stored assets", 60_000 + count);
    await store.close();
    const db = new Sqlite(location, { readonly: true });
    const rows = db.prepare("select name, sum(pgsize) as bytes from dbstat group by name").all();
    db.close();
    return new Map((rows as { name: string; bytes: number }[]).map(({ name, bytes }) => [name, bytes]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function onPostgres(count: number): Promise<Sizes> {
  const server = await startPostgres();
  try {
    const { url } = await createDatabase(server.url());
    const store = openStore({ store: "postgres", location: url });
    await store.migrate();
    await seed(store, count);
    await store.close();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("vacuum analyze");
    const { rows } = await client.query<{ name: string; bytes: string }>(
      `select 'reeve_' || relname as name, pg_total_relation_size(c.oid)::text as bytes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where nspname = 'reeve' and relkind in ('r', 'p')`,
    );
    await client.end();
    return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
  } finally {
    await server.stop();
  }
}
