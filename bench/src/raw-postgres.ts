import pg from "pg";
import { changedColumns, listed, SAMPLE, type Written } from "./raw-tables.js";

/** One statement per table and slice on pg, with rows as arrays. Reading is not timed. */
export async function copyPostgres(
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
