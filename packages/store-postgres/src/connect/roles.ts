import { StoreError } from "@reeve/core/store";
import type { ClientBase } from "pg";
import pg from "pg";

/**
 * Planner settings of the runtime role: one plan per statement, along the index made for it. The planner would decide
 * by the average tenant, and a plan that sorts a small tenant is ruinous for a large one.
 */
export const PLANNING: readonly (readonly [setting: string, value: string])[] = [
  ["plan_cache_mode", "force_generic_plan"],
  ["enable_seqscan", "off"],
  ["enable_bitmapscan", "off"],
  ["enable_sort", "off"],
  // An unavoidable sort has such a high cost that the planner would compile it.
  ["jit", "off"],
];

/** Ends a transaction whose process is frozen, behind a pooler too. */
const LONGEST_IDLE_TRANSACTION = ["idle_in_transaction_session_timeout", "10000"] as const;

/** The role that owns the search functions. */
export function searchRole(runtimeRole: string): string {
  return `${runtimeRole}_search`;
}

/**
 * Creates a role without login that is bound by row-level security. `planned`: with planner settings and a limit of
 * idleness, because a pooler drops start-up options.
 */
export function roleStatement(name: string, planned: boolean): string {
  const role = pg.escapeIdentifier(name);
  const settings = [...PLANNING, LONGEST_IDLE_TRANSACTION].map(
    ([setting, value]) => `ALTER ROLE ${role} SET ${setting} = ${value}`,
  );
  return [`CREATE ROLE ${role} NOLOGIN NOSUPERUSER NOBYPASSRLS`, ...(planned ? settings : [])].join(";\n");
}

/**
 * What a session of a cluster needs: statements are planned with their values, a transaction's tenant reaches the other
 * nodes, and what runs there for one tenant may read its tables.
 */
export const CLUSTER_SETTINGS = [
  ["plan_cache_mode", "auto"],
  ["citus.propagate_set_commands", "local"],
  ["citus.allow_nested_distributed_execution", "on"],
] as const;

/** Facts that a store reads on its first connection. */
export interface SessionFacts {
  readonly searchIndex: boolean;
  /** Whether the tables are distributed over the nodes of a Citus cluster. */
  readonly isDistributed: boolean;
}

/** Whether Citus has distributed the tables of a schema. */
export async function isDistributed(client: ClientBase, schema: string): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_catalog.pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = 'chain_heads'`,
    [schema],
  );
  return rows.length > 0;
}

/** Throws if the session's role can bypass row-level security. */
export async function checkSession(client: ClientBase, role: string, schema: string): Promise<SessionFacts> {
  const { rows } = await client.query<{
    readonly role: string;
    readonly strong: boolean;
    readonly owner: boolean;
    readonly searchIndex: boolean;
    readonly citus: boolean;
  }>(
    `select r.rolname as role, to_regclass('pg_catalog.pg_dist_partition') is not null as citus, r.rolsuper or r.rolbypassrls as strong,
      exists (select from pg_class c where c.relowner = r.oid and c.relkind in ('r', 'p')) as owner,
      exists (select from pg_indexes where schemaname = $1 and indexname like 'gx\\_%') as "searchIndex"
    from pg_roles r where r.rolname = current_user`,
    [schema],
  );
  const [session] = rows;
  if (session?.role !== role) throw new StoreError("schema", `requests run as ${session?.role}, not as ${role}`);
  if (session.strong) throw new StoreError("schema", `${role} is a superuser or bypasses row-level security`);
  if (session.owner) throw new StoreError("schema", `${role} owns tables, so it could lift their row-level security`);
  return {
    searchIndex: session.searchIndex,
    isDistributed: session.citus && (await isDistributed(client, schema)),
  };
}
