import pg from "pg";
import { isDistributed } from "../connect/roles.js";
import { hasCluster } from "./distribution.js";
import { connected, type MigrateOptions } from "./owner.js";

/** What the transaction that holds the snapshot needs: nothing ends it, and no policy hides a row from a count. */
const SETTINGS = ["statement_timeout = 0", "idle_in_transaction_session_timeout = 0", "row_security = off"];

/** See `PostgresStore.dump`. */
export async function dumpSnapshot(
  { dialer, namespace: { schema, quoted }, waitMs }: MigrateOptions,
  dump: (snapshot: string) => Promise<void>,
): Promise<ReadonlyMap<string, number>> {
  return connected(dialer, async (client) => {
    const isOfNodes = (await hasCluster(client)) && (await isDistributed(client, schema));
    await client.query(`begin isolation level repeatable read${isOfNodes ? "" : ", read only"}`);
    for (const setting of SETTINGS) await client.query(`set local ${setting}`);
    if (isOfNodes) {
      // Nodes have no common snapshot. Whatever a tenant changes locks the head of its chain first.
      await client.query(`set local lock_timeout = ${waitMs}`);
      await client.query(`lock table ${quoted}.chain_heads in exclusive mode`);
    }
    const { rows } = await client.query<{ snapshot: string }>("select pg_export_snapshot() as snapshot");
    const counts = await countRows(client, schema);
    await dump(rows[0]?.snapshot as string);
    return counts;
  });
}

/** The rows of each table of a schema, in one statement. */
async function countRows(client: pg.Client, schema: string): Promise<ReadonlyMap<string, number>> {
  const tables = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = $1::regnamespace and relkind = 'r' order by 1",
    [pg.escapeIdentifier(schema)],
  );
  const counts = tables.rows.map(
    ({ name }) =>
      `select ${pg.escapeLiteral(name)} as name, count(*)::float8 as rows from ${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`,
  );
  if (counts.length === 0) return new Map();
  const counted = await client.query<{ name: string; rows: number }>(counts.join(" union all "));
  return new Map(counted.rows.map(({ name, rows }) => [name, rows]));
}
