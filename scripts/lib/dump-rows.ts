import pg from "pg";

/** Tables whose rows come with the schema, or mean nothing later. */
const LEFT_OUT = ["migrations", "backfills", "quotas"];

/** The rows of a store's schema as SQL, in the order of their keys. Run it as a superuser, after the schema. */
export async function dumpRows(url: string, schema = "reeve"): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string; columns: string[] }>(
      `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = $1::regnamespace and c.relkind = 'r' group by 1 order by 1`,
      [schema],
    );
    let text = "BEGIN;\n";
    for (const { name, columns } of tables.filter((table) => !LEFT_OUT.includes(table.name))) {
      const names = columns.map((column) => pg.escapeIdentifier(column));
      const table = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
      const literals = names.map((column) => `quote_nullable(${column}::text)`).join(" || ', ' || ");
      const { rows } = await client.query<{ row: string }>(
        `select ${literals} as row from ${table} order by ${names.join(", ")}`,
      );
      if (rows.length === 0) continue;
      text += `INSERT INTO ${table} (${names.join(", ")}) VALUES\n${rows.map(({ row }) => `(${row})`).join(",\n")};\n`;
    }
    return `${text}COMMIT;\n`;
  } finally {
    await client.end();
  }
}
