import { type Applied, checksumOf, type Migration } from "@reeve/store-sql";
import pg from "pg";
import { tableDialect } from "./dialect.js";
import type { Namespace } from "./namespace.js";

export const LEDGER_COLUMNS = ["number", "name", "checksum", "applied_at"];

/** Creates the ledger of applied migrations. */
export const LEDGER = `CREATE TABLE IF NOT EXISTS "reeve".migrations (
  number integer PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
)`;

/** The migrations applied to this database, oldest first. */
export async function appliedMigrations(
  client: Pick<pg.ClientBase, "query">,
  namespace: Namespace,
): Promise<readonly Applied[]> {
  const text = namespace.text('select number, checksum from "reeve".migrations order by number');
  return (await client.query<Applied>(text)).rows;
}

/** Records an applied migration. */
export function ledgerRow(migration: Migration): string {
  const [name, checksum] = [migration.name, checksumOf(migration, tableDialect)].map(pg.escapeLiteral);
  return `INSERT INTO "reeve".migrations (number, name, checksum) VALUES (${migration.number}, ${name}, ${checksum})`;
}
