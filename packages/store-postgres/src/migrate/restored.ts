import pg from "pg";
import type { Namespace } from "../statement/namespace.js";

/** What tells the mark from a schema of the host's that happens to have its name. */
const COMMENT = "Reeve: restored from a backup";

/**
 * Whether the schema of the second parameter is there as a mark. It selects something, as a cluster that keeps a schema on
 * one node takes no rows without columns from another.
 */
export const RESTORED = `exists (select 1 from pg_namespace where nspname = $2::text and obj_description(oid, 'pg_namespace') = '${COMMENT}')`;

/** An empty schema beside the store's own, because a dump creates that one and the mark has to be there before. */
export function restoredSchema({ schema }: Namespace): string {
  return `${schema}_restored`;
}

/** The SQL that marks a database as restored from a backup, or takes the mark away. */
export function markStatement(namespace: Namespace, restored: boolean): string {
  const mark = pg.escapeIdentifier(restoredSchema(namespace));
  return restored
    ? `CREATE SCHEMA IF NOT EXISTS ${mark}; COMMENT ON SCHEMA ${mark} IS '${COMMENT}'`
    : `DROP SCHEMA IF EXISTS ${mark}`;
}
