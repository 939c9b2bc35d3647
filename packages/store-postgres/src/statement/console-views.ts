import { StoreError, sha256 } from "@reeve/core/store";
import type { ConsoleView } from "@reeve/store-sql";
import type { ClientBase } from "pg";
import pg from "pg";
import { type Namespace, qualified } from "./namespace.js";

/** The schema of the views, their owner, and who may read them. */
export interface ConsoleNames {
  /** The group of the console's login. It may select from the views and nothing else. */
  readonly group: string;
  /** Reads all tables without row-level security. Nobody can log in as it or take its role. */
  readonly owner: string;
  readonly schema: string;
}

const MARK = "views of Reeve's SQL console";

export function consoleNames(runtimeRole: string, { schema }: Namespace): ConsoleNames {
  return { group: `${runtimeRole}_console`, owner: `${runtimeRole}_views`, schema: `${schema}_console` };
}

/** Whether the views in the database match the code. Throws when the schema is not Reeve's. */
export async function hasConsoleViews(
  client: ClientBase,
  names: ConsoleNames,
  views: readonly ConsoleView[],
): Promise<boolean> {
  const { rows } = await client.query<{ mark: string | null }>(
    "select obj_description(oid, 'pg_namespace') as mark from pg_namespace where nspname = $1",
    [names.schema],
  );
  const [schema] = rows;
  if (schema && !schema.mark?.startsWith(MARK)) {
    throw new StoreError("schema", `the schema "${names.schema}" is not Reeve's: choose another \`schema\``);
  }
  return schema?.mark === markOf(views);
}

/** Recreates the views. */
export function consoleStatements(
  namespace: Namespace,
  names: ConsoleNames,
  views: readonly ConsoleView[],
): readonly string[] {
  const [group, owner, schema] = [names.group, names.owner, names.schema].map(pg.escapeIdentifier);
  return [
    `DROP SCHEMA IF EXISTS ${schema} CASCADE`,
    `CREATE SCHEMA ${schema}`,
    `GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${owner}`,
    `GRANT USAGE ON SCHEMA ${namespace.quoted} TO ${owner}`,
    `GRANT USAGE ON SCHEMA ${schema} TO ${group}`,
    ...views.flatMap((view) => {
      const table = qualified(view.name);
      const made = `${schema}."${view.name}"`;
      const columns = view.columns.map((column) => `"${column}"`);
      const read = [...columns, ...(view.without ? ["body"] : []), ...(view.removes ? ["removed_at"] : [])];
      const live = view.removes ? " WHERE removed_at IS NULL" : "";
      return [
        `GRANT SELECT (${read.join(", ")}) ON ${table} TO ${owner}`,
        `DROP POLICY IF EXISTS console ON ${table}`,
        `CREATE POLICY console ON ${table} FOR SELECT TO ${owner} USING (true)`,
        `CREATE VIEW ${made} WITH (security_barrier = true) AS SELECT ${[...columns, ...bodyOf(view)].join(", ")} FROM ${table}${live}`,
        `ALTER VIEW ${made} OWNER TO ${owner}`,
        `GRANT SELECT ON ${made} TO ${group}`,
      ];
    }),
    `REVOKE CREATE ON SCHEMA ${schema} FROM ${owner}`,
    `COMMENT ON SCHEMA ${schema} IS ${pg.escapeLiteral(markOf(views))}`,
  ];
}

function bodyOf({ without }: ConsoleView): string[] {
  if (!without) return [];
  const secrets = without.map((property) => pg.escapeLiteral(property)).join(", ");
  return [without.length === 0 ? "body" : `(body::jsonb - ARRAY[${secrets}])::text AS body`];
}

function markOf(views: readonly ConsoleView[]): string {
  return `${MARK}, ${sha256(JSON.stringify(views))}`;
}
