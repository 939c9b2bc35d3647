import { sha256 } from "@reeve/core/store";
import type { ConsoleView } from "@reeve/store-sql";
import type { ClientBase } from "pg";
import pg from "pg";
import { createRole } from "./roles.js";

/** Who may look at the views, who owns them, and the schema they are in. */
export interface ConsoleNames {
  /** The group that the console's login must belong to; may select from the views and nothing else. */
  readonly group: string;
  /** Reads all tables without row-level security. Nobody logs in as it or takes it on. */
  readonly owner: string;
  readonly schema: string;
}

export function consoleNames(runtimeRole: string): ConsoleNames {
  return { group: `${runtimeRole}_console`, owner: `${runtimeRole}_views`, schema: `${runtimeRole}_console` };
}

/** Whether the views in the database are the ones that the code declares. */
export async function hasConsoleViews(client: ClientBase, names: ConsoleNames, views: readonly ConsoleView[]) {
  const { rows } = await client.query<{ digest: string | null }>(
    "select obj_description(to_regnamespace($1), 'pg_namespace') as digest",
    [pg.escapeIdentifier(names.schema)],
  );
  return rows[0]?.digest === digestOf(views);
}

/** Makes the views anew, and the roles where they are missing. */
export async function createConsoleViews(
  client: ClientBase,
  names: ConsoleNames,
  views: readonly ConsoleView[],
): Promise<void> {
  await createRole(client, names.group);
  await createRole(client, names.owner);
  const [group, owner, schema] = [names.group, names.owner, names.schema].map(pg.escapeIdentifier);
  const { rows } = await client.query<{ home: string }>("select quote_ident(current_schema()) as home");
  const home = rows[0]?.home;
  await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE;
CREATE SCHEMA ${schema};
GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${owner};
GRANT USAGE ON SCHEMA ${home} TO ${owner};
GRANT USAGE ON SCHEMA ${schema} TO ${group}`);
  for (const view of views) {
    const table = `${home}."${view.name}"`;
    const made = `${schema}."${view.name}"`;
    const columns = view.columns.map((column) => `"${column}"`);
    const read = [...columns, ...(view.without ? ["body"] : []), ...(view.removes ? ["removed_at"] : [])];
    const live = view.removes ? " WHERE removed_at IS NULL" : "";
    await client.query(`GRANT SELECT (${read.join(", ")}) ON ${table} TO ${owner};
DROP POLICY IF EXISTS console ON ${table};
CREATE POLICY console ON ${table} FOR SELECT TO ${owner} USING (true);
CREATE VIEW ${made} WITH (security_barrier = true) AS SELECT ${[...columns, ...bodyOf(view)].join(", ")} FROM ${table}${live};
ALTER VIEW ${made} OWNER TO ${owner};
GRANT SELECT ON ${made} TO ${group}`);
  }
  await client.query(`REVOKE CREATE ON SCHEMA ${schema} FROM ${owner};
COMMENT ON SCHEMA ${schema} IS '${digestOf(views)}'`);
}

function bodyOf({ without }: ConsoleView): string[] {
  if (!without) return [];
  const secrets = without.map((property) => pg.escapeLiteral(property)).join(", ");
  return [without.length === 0 ? "body" : `(body::jsonb - ARRAY[${secrets}])::text AS body`];
}

function digestOf(views: readonly ConsoleView[]): string {
  return sha256(JSON.stringify(views));
}
