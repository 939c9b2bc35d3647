import Sqlite from "better-sqlite3";
import { changedColumns, listed, SAMPLE, type Written } from "./raw-tables.js";

/** As they were written, each with its event. In the order of their key they would be cheaper than they ever come. */
const orderOf = (table: string) => (table === "event_streams" ? " order by seq" : "");

/** Prepared statements on better-sqlite3, with Reeve's settings of SQLite. Reading is not timed. */
export function copySqlite(
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
