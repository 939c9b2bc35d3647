import { type Applied, checksumOf, type Migration } from "@reeve/store-sql";
import pg from "pg";
import { tableDialect } from "../statement/dialect.js";
import type { Namespace } from "../statement/namespace.js";

export const LEDGER_COLUMNS = ["number", "name", "checksum", "phase", "applied_at"];

/** Creates the ledger of applied migrations. */
export const LEDGER = `CREATE TABLE IF NOT EXISTS "reeve".migrations (
  number integer PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL,
  phase text,
  applied_at timestamptz NOT NULL DEFAULT now()
)`;

/** The migrations applied to this database, oldest first. */
export async function appliedMigrations(
  client: Pick<pg.ClientBase, "query">,
  namespace: Namespace,
): Promise<readonly Applied[]> {
  const text = namespace.text('select number, checksum, phase from "reeve".migrations order by number');
  return (await client.query<Applied>(text)).rows;
}

/** Records an applied migration, and the backfills that it leaves. */
export function ledgerRows(migration: Migration): readonly string[] {
  const [name, checksum] = [migration.name, checksumOf(migration, tableDialect)].map(pg.escapeLiteral);
  const { number, phase, reshapes = [] } = migration;
  const held = phase === undefined ? "NULL" : pg.escapeLiteral(phase);
  return [
    ...reshapes.map(({ table }) => `INSERT INTO "reeve".backfills (name) VALUES ('${number}/${table}')`),
    `INSERT INTO "reeve".migrations (number, name, checksum, phase) VALUES (${number}, ${name}, ${checksum}, ${held})`,
  ];
}

/** The names of the backfills that are not finished. */
export async function unfinishedBackfills(
  client: Pick<pg.ClientBase, "query">,
  namespace: Namespace,
): Promise<readonly string[]> {
  const text = namespace.text('select name from "reeve".backfills where finished_at is null');
  return (await client.query<{ name: string }>(text)).rows.map(({ name }) => name);
}
