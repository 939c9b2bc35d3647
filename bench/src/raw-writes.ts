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

/** What is written to the other database, by table. */
interface Written {
  readonly inserted?: readonly string[];
  /** Tables whose rows are there in an earlier state. Columns that differ since are updated. */
  readonly updated?: readonly string[];
}

/** Copies a tenant's rows from one database to another, in slices. Returns the seconds of writes and commits. */
export function copyRows(
  tenantId: string,
  from: Database,
  to: Database,
  slices: number,
  { inserted = TABLES, updated = [] }: Written = {},
): Promise<number> {
  const tables = { inserted, updated };
  return from.store === "sqlite"
    ? Promise.resolve(copySqlite(tenantId, from.location, to.location, slices, tables))
    : copyPostgres(tenantId, from.location, to.location, slices, tables);
}

const listed = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");

/** Rows that are compared to tell which columns differ. */
const SAMPLE = "tenant_id = ? order by id limit 100";

/** The columns in which any row differs from what it was. */
function changedColumns(names: readonly string[], before: readonly unknown[][], after: readonly unknown[][]): string[] {
  const differs = (at: number) =>
    after.some((row, place) => JSON.stringify(row[at]) !== JSON.stringify(before[place]?.[at]));
  return names.filter((_, at) => differs(at));
}

/** Prepared statements on better-sqlite3, with Reeve's settings of SQLite. Reading is not timed. */
function copySqlite(
  tenantId: string,
  from: string,
  to: string,
  slices: number,
  { inserted, updated }: Required<Written>,
): number {
  const target = new Sqlite(to);
  for (const setting of [
    "journal_mode = WAL",
    "synchronous = FULL",
    "cache_size = -32768",
    "wal_autocheckpoint = 2000",
  ]) {
    target.pragma(setting);
  }
  const job = (
    table: string,
    textOf: (names: readonly string[]) => readonly [text: string, names: readonly string[]],
  ) => {
    // One connection per table, because each is busy while its rows are iterated.
    const source = new Sqlite(from, { readonly: true });
    const all = source.prepare(`select * from "reeve_${table}"`).columns();
    const [text, names] = textOf(all.map(({ name }) => name));
    const select = source
      .prepare(`select ${listed(names)} from "reeve_${table}" where tenant_id = ?${orderOf(table)}`)
      .raw();
    const counted = source.prepare(`select count(*) from "reeve_${table}" where tenant_id = ?`).pluck();
    const size = Math.ceil((counted.get(tenantId) as number) / slices);
    return { write: target.prepare(text), rows: select.iterate(tenantId) as IterableIterator<unknown[]>, source, size };
  };
  const inserts = inserted.map((table) =>
    job(table, (names) => {
      const places = names.map(() => "?").join(", ");
      return [`insert into "reeve_${table}" (${listed(names)}) values (${places})`, names];
    }),
  );
  const updates = updated.flatMap((table) => {
    const [before, after] = [to, from].map((file) => sampleSqlite(file, table, tenantId));
    const changed = changedColumns(after?.names ?? [], before?.rows ?? [], after?.rows ?? []);
    if (changed.length === 0) return [];
    const set = changed.map((name) => `"${name}" = ?`).join(", ");
    const text = `update "reeve_${table}" set ${set} where tenant_id = ? and id = ?`;
    return [job(table, () => [text, [...changed, "tenant_id", "id"]])];
  });
  const jobs = [...inserts, ...updates];
  let ms = 0;
  for (let slice = 0; slice < slices; slice++) {
    const work = jobs.map(({ write, rows, size }) => ({ write, some: takeSome(rows, size) }));
    const started = performance.now();
    target.exec("begin immediate");
    for (const { write, some } of work) for (const row of some) write.run(row);
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

function sampleSqlite(file: string, table: string, tenantId: string) {
  const db = new Sqlite(file, { readonly: true });
  try {
    const select = db.prepare(`select * from "reeve_${table}" where ${SAMPLE}`).raw();
    return { names: select.columns().map(({ name }) => name), rows: select.all(tenantId) as unknown[][] };
  } finally {
    db.close();
  }
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
  { inserted, updated }: Required<Written>,
): Promise<number> {
  const [source, target] = [new pg.Client(from), new pg.Client(to)];
  await source.connect();
  await target.connect();
  await source.query("begin");
  const jobs: { table: string; text: string; width: number; size: number }[] = [];
  const declare = async (
    table: string,
    textOf: (all: readonly string[]) => readonly [names: readonly string[], text: (lists: string) => string],
  ) => {
    const { rows: counted } = await source.query(
      `select count(*)::int as n from reeve."${table}" where tenant_id = $1`,
      [tenantId],
    );
    const { rows: columns } = await source.query<{ name: string; type: string }>(
      "select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum",
      [`reeve.${table}`],
    );
    const types = new Map(columns.map(({ name, type }) => [name, type]));
    const [names, text] = textOf([...types.keys()]);
    await source.query(
      `declare c_${table} no scroll cursor for select ${listed(names)} from reeve."${table}" where tenant_id = '${tenantId}'`,
    );
    const lists = names.map((name, at) => `$${at + 1}::${types.get(name)}[]`).join(", ");
    const size = Math.max(1, Math.ceil((counted[0]?.n ?? 0) / slices));
    jobs.push({ table, text: text(lists), width: names.length, size });
  };
  for (const table of inserted.filter((each) => each !== "search_pending"))
    await declare(table, (all) => [
      all,
      (lists) => `insert into reeve."${table}" (${listed(all)}) select * from unnest(${lists})`,
    ]);
  for (const table of updated) {
    const [before, after] = [
      await samplePostgres(target, table, tenantId),
      await samplePostgres(source, table, tenantId),
    ];
    const changed = changedColumns(after.names, before.rows, after.rows);
    if (changed.length === 0) continue;
    const names = [...changed, "tenant_id", "id"];
    const set = changed.map((name) => `"${name}" = u."${name}"`).join(", ");
    const where = "where t.tenant_id = u.tenant_id and t.id = u.id";
    await declare(table, () => [
      names,
      (lists) => `update reeve."${table}" t set ${set} from unnest(${lists}) as u(${listed(names)}) ${where}`,
    ]);
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

async function samplePostgres(client: pg.Client, table: string, tenantId: string) {
  const text = `select * from reeve."${table}" where ${SAMPLE.replace("?", "$1")}`;
  const { fields, rows } = await client.query({ text, values: [tenantId], rowMode: "array" });
  return { names: fields.map(({ name }) => name), rows: rows as unknown[][] };
}
