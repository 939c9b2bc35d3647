import { postgres } from "@reeve/connectors/postgres";
import type { Connector, GrantSpec, ObservedGrant } from "@reeve/core/connectors";
import { type ConnectorPartsOptions, connectorCalls, connectorParts, listAll } from "@reeve/testkit/connectors";
import { type PostgresServer, startPostgres } from "@reeve/testkit/postgres";
import pg from "pg";

export const connector = postgres();
export const ALLOW = ["127.0.0.1/32"];

/** A real server with one database, seen by its superuser. */
export interface Target {
  readonly server: PostgresServer;
  /** Runs statements as the superuser. */
  sql(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** The object id of a role, or `database.` / `schema.` / `table.` and a name as SQL writes it. */
  oid(kind: "role" | "database" | "schema" | "table", name: string): Promise<string>;
  /** Writes a file into the folder of its data, as its user, so that it can read it. */
  write(name: string, text: string): Promise<void>;
  config: Readonly<Record<string, unknown>>;
  stop(): Promise<void>;
}

export async function startTarget(): Promise<Target> {
  const server = await startPostgres({ inMemory: true });
  const pool = new pg.Pool({ connectionString: server.url(), max: 4 });
  // The server is stopped before the pool's last sockets are closed.
  pool.on("error", () => undefined);
  const sql = async (text: string, values: readonly unknown[] = []) => (await pool.query(text, [...values])).rows ?? [];
  const lookups = {
    role: "SELECT oid::text FROM pg_roles WHERE rolname = $1",
    database: "SELECT oid::text FROM pg_database WHERE datname = $1",
    schema: "SELECT oid::text FROM pg_namespace WHERE nspname = $1",
    table: "SELECT c.oid::text FROM pg_class c WHERE relname = $1 AND relkind IN ('r', 'v', 'p')",
  };
  return {
    server,
    sql,
    async oid(kind, name) {
      const [row] = await sql(lookups[kind], [name]);
      if (!row) throw new Error(`there is no ${kind} ${name}`);
      return row.oid as string;
    },
    async write(name, text) {
      const lines = `SELECT regexp_split_to_table($text$${text.trim()}$text$, E'\\r?\\n')`;
      await sql(`COPY (${lines}) TO PROGRAM 'umask 077; cat > ${name}'`);
    },
    config: { host: "127.0.0.1", port: server.port, database: "postgres", username: "postgres", tls: "off" },
    async stop() {
      await pool.end();
      await server.stop();
    },
  };
}

export const callsOf = (target: Target, options: ConnectorPartsOptions = {}, called: Connector = connector) =>
  connectorCalls(
    called,
    connectorParts(called, { allow: ALLOW, ...options, config: { ...target.config, ...options.config } }),
  );

export async function specOf(
  target: Target,
  [kind, object]: readonly ["role" | "database" | "schema" | "table", string],
  profile: string,
  role: string,
): Promise<GrantSpec> {
  return {
    grantKey: `${kind} ${object} ${profile} ${role}`,
    resource: { type: kind, externalId: await target.oid(kind, object) },
    profileExternalId: `${kind}.${profile}`,
    principal: { type: "service_account", externalId: await target.oid("role", role) },
    parameters: {},
  };
}

/** The grants of a role, as `[inherited ]profile: permissions`, in order. */
export async function grantsOf(target: Target, role: string): Promise<string[]> {
  const principals = [{ type: "group" as const, externalId: await target.oid("role", role) }];
  const { items } = await listAll((page) => callsOf(target).listGrants({ principals }, page));
  return items.map(shown);
}

export const shown = ({ source, profileExternalId, permissions = [] }: ObservedGrant): string =>
  `${source === "inherited" ? "inherited " : ""}${profileExternalId}: ${permissions.join(", ")}`;
