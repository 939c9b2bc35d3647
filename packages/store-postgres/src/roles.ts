import { StoreError } from "@reeve/core/store";
import type { TableSpec } from "@reeve/store-sql";
import type { ClientBase } from "pg";
import pg from "pg";

/** A search looks at this many of the newest rows first; from so many hits among them on, the word is a common one. */
const PROBED_ROWS = 500;
const COMMON_HITS = 25;

const KERNEL_TABLES = ["events", "event_streams", "chain_heads", "counters", "quotas"];

/**
 * How statements of the runtime role are planned: once, and along the index that was made for each. The planner would judge by
 * the size of the average tenant, and a plan that reads and sorts a small tenant is the ruin of a large one.
 */
export const PLANNING: readonly (readonly [setting: string, value: string])[] = [
  ["plan_cache_mode", "force_generic_plan"],
  ["enable_seqscan", "off"],
  ["enable_bitmapscan", "off"],
  ["enable_sort", "off"],
  // A sort that cannot be avoided is priced so high that compiling it would seem to pay.
  ["jit", "off"],
];

/** Name of the function that finds candidates of a search. */
export function searchFunction(table: string): string {
  return `reeve_search_${table}`;
}

/** Creates the role of requests when absent: no login, owner of nothing, bound by row-level security. */
export async function createRuntimeRole(client: ClientBase, role: string): Promise<void> {
  for (const name of [role, searchRole(role)]) await createRole(client, name, settings(name));
}

/** Creates a role without login that is bound by row-level security, when absent. */
export async function createRole(client: ClientBase, name: string, settings = ""): Promise<void> {
  // Roles belong to the server, so another database may create the same one at this moment.
  await client.query(`DO $do$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${pg.escapeLiteral(name)}) THEN
    CREATE ROLE ${pg.escapeIdentifier(name)} NOLOGIN NOSUPERUSER NOBYPASSRLS;
    ${settings}
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $do$`);
}

/** Where a pooler keeps start-up options from arriving, the role's own settings stand in for them. */
function settings(role: string): string {
  return PLANNING.map(([name, value]) => `ALTER ROLE ${pg.escapeIdentifier(role)} SET ${name} = ${value};`).join(" ");
}

/** Lets the runtime role do its work on these tables and no more. */
export async function grantTables(client: ClientBase, role: string, specs: readonly TableSpec[]): Promise<void> {
  const to = pg.escapeIdentifier(role);
  const { rows } = await client.query<{ schema: string }>("select current_schema() as schema");
  const schema = pg.escapeIdentifier(rows[0]?.schema ?? "public");
  const tables = [...KERNEL_TABLES, ...specs.map((spec) => spec.name)].map((name) => `"${name}"`).join(", ");
  await client.query(`GRANT USAGE ON SCHEMA ${schema} TO ${to}`);
  await client.query(`GRANT SELECT, INSERT, UPDATE ON ${tables} TO ${to}`);
  const erased = ["events", "event_streams", "quotas", ...specs.map((spec) => spec.name)]
    .map((name) => `"${name}"`)
    .join(", ");
  await client.query(`GRANT DELETE ON ${erased} TO ${to}`);
  await client.query(`GRANT SELECT ON reeve_migrations TO ${to}`);
  const searched = specs.filter((spec) => spec.searchable).map((spec) => spec.name);
  for (const table of searched) await client.query(searchStatements(table, role, schema));
}

/**
 * A pattern cannot use an index under row-level security, as `LIKE` might tell of rows it is shown. So candidates are found by
 * a function of a role that may read search texts, which binds the tenant itself and gives away nothing but ids.
 *
 * The planner has no statistics there to choose by, so the function looks at some of the newest rows first: a word that many
 * of them hold, of more rows than are asked for, is left to a walk along the order of the page.
 */
function searchStatements(table: string, role: string, schema: string): string {
  const owner = pg.escapeIdentifier(searchRole(role));
  const name = `"${searchFunction(table)}"`;
  const signature = `${name}(text, text, integer)`;
  const live = `from "${table}" t where t.tenant_id = $1 and t.removed_at is null`;
  const newest = "order by t.created_at desc, t.id desc";
  return `GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${owner};
GRANT SELECT (tenant_id, id, created_at, removed_at, search_text) ON "${table}" TO ${owner};
DROP POLICY IF EXISTS search ON "${table}";
CREATE POLICY search ON "${table}" FOR SELECT TO ${owner} USING (true);
CREATE OR REPLACE FUNCTION ${name}(term text, pattern text, most integer) RETURNS SETOF text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, ${schema}
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
END $fn$;
ALTER FUNCTION ${signature} OWNER TO ${owner};
REVOKE CREATE ON SCHEMA ${schema} FROM ${owner};
REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ${signature} TO ${pg.escapeIdentifier(role)}`;
}

/** What a store learns with its first connection. */
export interface SessionFacts {
  readonly searchIndex: boolean;
}

/** Refuses a session whose role can bypass row-level security. */
export async function checkSession(client: ClientBase, role: string): Promise<SessionFacts> {
  const { rows } = await client.query<{ role: string; strong: boolean; owner: boolean; searchIndex: boolean }>(`
    select r.rolname as role, r.rolsuper or r.rolbypassrls as strong,
      exists (select from pg_class c where c.relowner = r.oid and c.relkind in ('r', 'p')) as owner,
      exists (select from pg_indexes where schemaname = current_schema() and indexname like 'gx\\_%') as "searchIndex"
    from pg_roles r where r.rolname = current_user`);
  const [session] = rows;
  if (session?.role !== role) throw new StoreError("schema", `requests run as ${session?.role}, not as ${role}`);
  if (session.strong) throw new StoreError("schema", `${role} is a superuser or bypasses row-level security`);
  if (session.owner) throw new StoreError("schema", `${role} owns tables, so it could lift their row-level security`);
  return { searchIndex: session.searchIndex };
}

function searchRole(role: string): string {
  return `${role}_search`;
}
