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

/** Facts that a store reads on its first connection. */
export interface SessionFacts {
  readonly searchIndex: boolean;
}

/** Throws if the session's role can bypass row-level security. */
export async function checkSession(client: ClientBase, role: string, schema: string): Promise<SessionFacts> {
  const { rows } = await client.query<{ role: string; strong: boolean; owner: boolean; searchIndex: boolean }>(
    `select r.rolname as role, r.rolsuper or r.rolbypassrls as strong,
      exists (select from pg_class c where c.relowner = r.oid and c.relkind in ('r', 'p')) as owner,
      exists (select from pg_indexes where schemaname = $1 and indexname like 'gx\\_%') as "searchIndex"
    from pg_roles r where r.rolname = current_user`,
    [schema],
  );
  const [session] = rows;
  if (session?.role !== role) throw new StoreError("schema", `requests run as ${session?.role}, not as ${role}`);
  if (session.strong) throw new StoreError("schema", `${role} is a superuser or bypasses row-level security`);
  if (session.owner) throw new StoreError("schema", `${role} owns tables, so it could lift their row-level security`);
  return { searchIndex: session.searchIndex };
}
