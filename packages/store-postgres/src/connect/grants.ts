import type { TableSpec } from "@reeve/store-sql";
import pg from "pg";
import { type Namespace, qualified } from "../statement/namespace.js";
import { searchRole } from "./roles.js";

/**
 * A search first looks at this many of the newest rows. From this many hits among them on, the word counts as common.
 */
const PROBED_ROWS = 500;
const COMMON_HITS = 25;

/** The tables without a collection. */
export const KERNEL_TABLES = ["events", "event_streams", "chain_heads", "counters", "dues", "quotas"];

/** The function that finds the candidates of a search. */
export function searchFunction(table: string): string {
  return qualified(`search_${table}`);
}

/** Grants the runtime role what it needs on these tables and no more. */
export function grantStatements(
  { quoted: schema }: Namespace,
  runtimeRole: string,
  specs: readonly TableSpec[],
): readonly string[] {
  const role = pg.escapeIdentifier(runtimeRole);
  const own = specs.map((spec) => spec.name);
  const list = (names: readonly string[]) => names.map(qualified).join(", ");
  const searched = specs
    .filter((spec) => spec.searchable)
    .flatMap(({ name }) => searchStatements(schema, name, runtimeRole));
  return [
    `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
    `GRANT SELECT, INSERT, UPDATE ON ${list([...KERNEL_TABLES, ...own])} TO ${role}`,
    `GRANT DELETE ON ${list([...KERNEL_TABLES, ...own])} TO ${role}`,
    `GRANT SELECT ON ${qualified("migrations")} TO ${role}`,
    `GRANT SELECT (name, registered_at, done, total, finished_at) ON ${qualified("backfills")} TO ${role}`,
    ...searched,
  ];
}

/**
 * Row-level security keeps `LIKE` from using an index, because the operator could leak rows. So a function finds the
 * candidates, with the rights of a role that may read search texts. It limits the search to the tenant and returns ids
 * only.
 *
 * The planner has no statistics there, so the function first looks at some of the newest rows. If many of them have the
 * word and there are more candidates than asked for, reading in the order of the page is better.
 */
function searchStatements(schema: string, name: string, runtimeRole: string): readonly string[] {
  const owner = pg.escapeIdentifier(searchRole(runtimeRole));
  const table = qualified(name);
  const made = searchFunction(name);
  const signature = `${made}(text, text, integer)`;
  const live = `from ${table} t where t.tenant_id = $1 and t.removed_at is null`;
  const newest = "order by t.created_at desc, t.id desc";
  return [
    `GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${owner}`,
    `GRANT SELECT (tenant_id, id, created_at, removed_at, search_text) ON ${table} TO ${owner}`,
    `DROP POLICY IF EXISTS search ON ${table}`,
    `CREATE POLICY search ON ${table} FOR SELECT TO ${owner} USING (true)`,
    `CREATE OR REPLACE FUNCTION ${made}(term text, pattern text, most integer) RETURNS SETOF text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog
SET enable_bitmapscan = on SET enable_sort = on AS $fn$
DECLARE
  tenant text := current_setting('reeve.tenant', true);
  common boolean;
BEGIN
  EXECUTE 'select exists (select ${live} offset $3) and (select count(*) >= ${COMMON_HITS} from (
    select t.search_text ${live} ${newest} limit ${PROBED_ROWS}) n where strpos(n.search_text, $2) > 0)'
    INTO common USING tenant, term, most;
  IF common THEN
    RETURN QUERY SELECT '' FROM generate_series(1, most);
  ELSE
    RETURN QUERY EXECUTE 'select t.id::text from (select t.id ${live} and t.search_text like $2 offset 0) t limit $3'
      USING tenant, pattern, most;
  END IF;
END $fn$`,
    `ALTER FUNCTION ${signature} OWNER TO ${owner}`,
    `REVOKE CREATE ON SCHEMA ${schema} FROM ${owner}`,
    `REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC`,
    `GRANT EXECUTE ON FUNCTION ${signature} TO ${pg.escapeIdentifier(runtimeRole)}`,
  ];
}
