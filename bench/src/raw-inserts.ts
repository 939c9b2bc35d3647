import Sqlite from "better-sqlite3";
import pg from "pg";
import type { Database } from "./server.js";

/** The tables of an import. Counters and chain heads are left out, because they are few rows. */
const TABLES = [
  "ai_assets",
  "ai_models",
  "ai_tools",
  "ai_agents",
  "asset_links",
  "reviews",
  "events",
  "event_streams",
  "search_pending",
] as const;

/** As they were written, each with its event. In the order of their key they would be cheaper than they ever come. */
const orderOf = (table: string) => (table === "event_streams" ? " order by seq" : "");

/** Copies a tenant's rows from one database to another, in slices. Returns the seconds of inserts and commits. */
export function copyRows(
  tenantId: string,
  from: Database,
  to: Database,
  slices: number,
  tables: readonly string[] = TABLES,
): Promise<number> {
  return from.store === "sqlite"
    ? Promise.resolve(copySqlite(tenantId, from.location, to.location, slices, tables))
    : copyPostgres(tenantId, from.location, to.location, slices, tables);
}

/** Prepared statements on better-sqlite3, with Reeve's settings of SQLite. Reading is not timed. */
function copySqlite(tenantId: string, from: string, to: string, slices: number, tables: readonly string[]): number {
  const target = new Sqlite(to);
  for (const setting of [
    "journal_mode = WAL",
    "synchronous = FULL",
    "cache_size = -32768",
    "wal_autocheckpoint = 2000",
  ]) {
    target.pragma(setting);
  }
  const jobs = tables.map((table) => {
    // One connection per table, because each is busy while its rows are iterated.
    const source = new Sqlite(from, { readonly: true });
    const select = source.prepare(`select * from "reeve_${table}" where tenant_id = ?${orderOf(table)}`);
    const columns = select.columns().map(({ name }) => `"${name}"`);
    const insert = `insert into "reeve_${table}" (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`;
    const count = source
      .prepare(`select count(*) from "reeve_${table}" where tenant_id = ?`)
      .pluck()
      .get(tenantId) as number;
    const rows = select.raw().iterate(tenantId) as IterableIterator<unknown[]>;
    return { insert: target.prepare(insert), rows, source, size: Math.ceil(count / slices) };
  });
  let ms = 0;
  for (let slice = 0; slice < slices; slice++) {
    const work = jobs.map(({ insert, rows, size }) => ({ insert, some: takeSome(rows, size) }));
    const started = performance.now();
    target.exec("begin immediate");
    for (const { insert, some } of work) for (const row of some) insert.run(row);
    target.exec("commit");
    ms += performance.now() - started;
  }
  for (const { rows, source } of jobs) {
    rows.return?.();
    source.close();
  }
  target.close();
  return ms / 1_000;
}

function takeSome(rows: IterableIterator<unknown[]>, size: number): unknown[][] {
  const some: unknown[][] = [];
  while (some.length < size) {
    const { done, value } = rows.next();
    if (done) break;
    some.push(value);
  }
  return some;
}

/** One statement per table and slice on pg, with rows as arrays. Reading is not timed. */
async function copyPostgres(
  tenantId: string,
  from: string,
  to: string,
  slices: number,
  tables: readonly string[],
): Promise<number> {
  const [source, target] = [new pg.Client(from), new pg.Client(to)];
  await source.connect();
  await target.connect();
  await source.query("begin");
  const jobs = [];
  for (const table of tables.filter((each) => each !== "search_pending")) {
    const { rows: counted } = await source.query(
      `select count(*)::int as n from reeve."${table}" where tenant_id = $1`,
      [tenantId],
    );
    const { rows: columns } = await source.query<{ name: string; type: string }>(
      "select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum",
      [`reeve.${table}`],
    );
    await source.query(
      `declare c_${table} no scroll cursor for select * from reeve."${table}" where tenant_id = '${tenantId}'`,
    );
    const names = columns.map(({ name }) => `"${name}"`).join(", ");
    const lists = columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(", ");
    const text = `insert into reeve."${table}" (${names}) select * from unnest(${lists})`;
    jobs.push({ table, text, width: columns.length, size: Math.max(1, Math.ceil((counted[0]?.n ?? 0) / slices)) });
  }
  let ms = 0;
  for (let slice = 0; slice < slices; slice++) {
    const work: { readonly name: string; readonly text: string; readonly values: unknown[][] }[] = [];
    for (const { table, text, width, size } of jobs) {
      const { rows } = await source.query({ text: `fetch ${size} from c_${table}`, rowMode: "array" });
      const values = Array.from({ length: width }, (_, at) => rows.map((row: unknown[]) => row[at]));
      if (rows.length > 0) work.push({ name: `copy_${table}`, text, values });
    }
    const started = performance.now();
    await target.query("begin");
    for (const insert of work) await target.query(insert);
    await target.query("commit");
    ms += performance.now() - started;
  }
  await source.end();
  await target.end();
  return ms / 1_000;
}
