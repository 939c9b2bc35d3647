import { runSql, startPostgres } from "@reeve/testkit/postgres";
import type { System } from "./system.js";

const PASSWORD = "the password of the connector";

/** A database, which the tour also looks into by itself. */
export interface Database extends System {
  /** Runs a statement as whoever administers the database, or as one of its roles. */
  readonly sql: (statement: string, role?: string) => Promise<readonly Record<string, unknown>[]>;
}

/** A real PostgreSQL with roles that services sign in as, and tables of claims that the connector owns. */
export async function startDatabase(): Promise<Database> {
  const server = await startPostgres({ inMemory: true });
  await runSql(
    server.url(),
    `CREATE ROLE reeve LOGIN PASSWORD '${PASSWORD}';
     CREATE ROLE svc_triage LOGIN; COMMENT ON ROLE svc_triage IS 'Reads claims for the triage agent.';
     CREATE ROLE svc_report LOGIN BYPASSRLS; CREATE ROLE ada_lovelace LOGIN;
     CREATE TABLE claims (id int); CREATE TABLE payments (id int);
     ALTER TABLE claims OWNER TO reeve; ALTER TABLE payments OWNER TO reeve;
     COPY (SELECT unnest(ARRAY['host all reeve all scram-sha-256', 'host all all all trust'])) TO PROGRAM 'cat > pg_hba.conf'`,
  );
  await runSql(server.url(), "SELECT pg_reload_conf()");
  return {
    name: "claims database",
    providerKey: "postgres",
    about: "a PostgreSQL 18 with two service roles",
    configuration: {
      host: "127.0.0.1",
      port: server.port,
      database: "postgres",
      username: "reeve",
      identityRoles: "svc\\_%",
      tls: "off",
    },
    secrets: { password: PASSWORD },
    sql(statement, role) {
      const url = new URL(server.url());
      if (role !== undefined) Object.assign(url, { username: role, password: "" });
      return runSql(url.href, statement);
    },
    stop: () => server.stop(),
  };
}
