import { createDatabase } from "@reeve/testkit/postgres";
import pg from "pg";
import { inject } from "vitest";
import { afterPage } from "../acme.js";

const database = await createDatabase(inject("postgresUrl"));
export const pool = new pg.Pool({ connectionString: database.url });
afterPage(() => database.drop());
afterPage(() => pool.end());

/** Runs statements and takes them back. Roles are of the whole server, so that they get names of their own. */
export async function sql(text: string): Promise<void> {
  const own = `guide_${process.pid}_`;
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    for (const role of ["owner", "app", "reeve_app_console"]) await client.query(`CREATE ROLE "${own}${role}"`);
    const names = /"(owner|app|reeve\w*)"|\b(reeve_app_console|support)\b/g;
    await client.query(text.replaceAll(names, (_name, quoted, bare) => `"${own}${quoted ?? bare}"`));
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}
