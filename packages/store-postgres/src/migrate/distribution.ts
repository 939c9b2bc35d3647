import { StoreError } from "@reeve/core/store";
import { databaseIndexes, type TableSpec } from "@reeve/store-sql";
import pg from "pg";
import { KERNEL_TABLES, searchFunction } from "../connect/grants.js";
import { CLUSTER_SETTINGS, searchRole } from "../connect/roles.js";
import { type Namespace, qualified } from "../statement/namespace.js";
import type { Installation } from "./facts.js";

/** Where the rows of a table lie in a cluster: by tenant, copied to each node, or on the coordinator alone. */
export type Placement = "tenant" | "reference" | "local";

/** One table of a distribution, and whether it is distributed already. */
export interface Placed {
  readonly table: string;
  readonly placement: Placement;
  readonly isDone: boolean;
}

/** All tables with a tenant lie with this one, whose row a transaction locks first. */
const FIRST = "chain_heads";
const LOCAL = ["migrations", "backfills"];
/** The one that is not logged, which a node could not hand to another one while it is in use. */
const UNLOGGED = "quotas";
/** Functions that statements use, which have to be on each node. */
const FUNCTIONS = [
  "link(text, bigint, text)",
  "links(text, bigint, text[])",
  "last_link(text, bigint, text[])",
  "expect(text, bigint, bigint)",
];
/** Where each table belongs. One with a key across tenants is copied, because no node could keep it unique alone. */
export function placementsOf(specs: readonly TableSpec[]): ReadonlyMap<string, Placement> {
  const isCopied = (spec: TableSpec) =>
    databaseIndexes(spec).some(({ unique, columns }) => unique && !columns.includes("tenant_id"));
  const kernel = KERNEL_TABLES.filter((name) => name !== FIRST);
  return new Map<string, Placement>([
    ...[FIRST, ...kernel].map((name) => [name, "tenant"] as const),
    ...specs.map((spec) => [spec.name, isCopied(spec) ? "reference" : "tenant"] as const),
    ...LOCAL.map((name) => [name, "local"] as const),
  ]);
}

/** Whether the database has Citus. */
export async function hasCluster(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    "select to_regclass('pg_catalog.pg_dist_partition') is not null as there",
  );
  return rows[0]?.there === true;
}

/** The tables in the order of their distribution, with those that are done. Throws where there is no cluster. */
export async function placedTables(
  client: pg.ClientBase,
  namespace: Namespace,
  specs: readonly TableSpec[],
): Promise<readonly Placed[]> {
  if (!(await hasCluster(client)))
    throw new StoreError("schema", "the database has no extension citus: an administrator runs CREATE EXTENSION citus");
  const done = await client.query<{ name: string }>(
    `select c.relname::text as name from pg_catalog.pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1`,
    [namespace.schema],
  );
  const names = new Set(done.rows.map(({ name }) => name));
  return [...placementsOf(specs)].map(([table, placement]) => {
    return { table, placement, isDone: placement === "local" || names.has(table) };
  });
}

/** Throws for a login that cannot move the rows of all tenants, or a cluster without a place for them. */
export async function checkCluster(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ nodes: number; coordinator: boolean; strong: boolean }>(
    `select (select count(*)::int from pg_dist_node where isactive and shouldhaveshards) as nodes,
      exists (select from pg_dist_node where groupid = 0) as coordinator,
      (select rolsuper from pg_roles where rolname = current_user) as strong`,
  );
  const [cluster] = rows;
  if (!cluster?.strong)
    throw new StoreError("schema", "only a superuser can distribute tables behind row-level security");
  if (!cluster.coordinator)
    throw new StoreError("schema", "the coordinator does not know itself: run select citus_set_coordinator_host(...)");
  if (cluster.nodes === 0)
    throw new StoreError("schema", "the cluster has no node for rows: run select citus_add_node(...)");
}

/** Throws while others use the database, because a server that runs would not know that its tables are distributed. */
export async function checkUnused(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend' and application_name not like 'citus%'`,
  );
  const { count = 0 } = rows[0] ?? {};
  if (count > 0) throw new StoreError("busy", `${count} other sessions use the database: stop the servers first`);
}

/** Makes functions and roles known to all nodes. It may run again. */
export function clusterStatements({ runtimeRole }: Installation, specs: readonly TableSpec[]): readonly string[] {
  const role = pg.escapeIdentifier(runtimeRole);
  const functions = [
    ...FUNCTIONS.map((signature) => `"reeve".${signature}`),
    ...specs.filter((spec) => spec.searchable).map(({ name }) => `${searchFunction(name)}(text, text, integer)`),
  ];
  return [
    `ALTER ROLE ${role} LOGIN`,
    ...[runtimeRole, searchRole(runtimeRole)].flatMap((name) =>
      CLUSTER_SETTINGS.map(([setting, value]) => `ALTER ROLE ${pg.escapeIdentifier(name)} SET ${setting} = '${value}'`),
    ),
    ...functions.map((signature) => `SELECT create_distributed_function('${signature}')`),
  ];
}

/** Distributes one table, with the rows it has. */
export function tableStatements({ table, placement }: Placed): readonly string[] {
  const name = pg.escapeLiteral(qualified(table));
  const made =
    placement === "reference"
      ? `SELECT create_reference_table(${name})`
      : `SELECT create_distributed_table(${name}, 'tenant_id', colocate_with := ${table === FIRST ? "'none'" : `'${qualified(FIRST)}'`})`;
  return [
    ...(table === UNLOGGED ? [`ALTER TABLE ${qualified(table)} SET LOGGED`] : []),
    // Triggers of a table guard rows of one tenant, which lie together.
    "SET LOCAL citus.enable_unsafe_triggers = on",
    made,
    // Rows that were copied to the nodes stay on the coordinator otherwise, and triggers keep events.
    "SET LOCAL session_replication_role = replica",
    `SELECT truncate_local_data_after_distributing_table(${name})`,
  ];
}
