import { createDatabase, runSql } from "@reeve/testkit/postgres";
import { inject, vi } from "vitest";
import { afterPage } from "./acme.js";

/** Gives a page a database as `DATABASE_URL`. Returns the placeholder of a role that it makes: roles are of the whole server. */
export async function pageDatabase(role: string): Promise<readonly [string, string]> {
  const database = await createDatabase(inject("postgresUrl"));
  const url = new URL(database.url);
  url.password ||= "not asked for by the server of tests";
  vi.stubEnv("DATABASE_URL", url.href);
  const own = `${role}_${process.pid}`;
  afterPage(() => runSql(inject("postgresUrl"), `DROP ROLE IF EXISTS ${own}`));
  afterPage(() => database.drop());
  return [role, own];
}
