import type { GrantSpec } from "@reeve/core/connectors";
import { type Access, type ConformanceTarget, connectorConformance } from "@reeve/testkit/connectors";
import pg from "pg";
import { expect, vi } from "vitest";
import { connector, specOf, startTarget, type Target } from "./target.js";

const PASSWORD = "s3cret-of-the-role";
const TABLE = ["table", "orders"] as const;

connectorConformance(connector, async (): Promise<ConformanceTarget> => {
  const target = await startTarget();
  await target.sql(`CREATE ROLE reeve LOGIN SUPERUSER PASSWORD '${PASSWORD}'; CREATE ROLE ada LOGIN; CREATE ROLE grace LOGIN;
    CREATE ROLE linus LOGIN; CREATE ROLE team; GRANT team TO linus; CREATE SCHEMA sales; CREATE TABLE sales.orders (id int)`);
  await target.write("pg_hba.conf", "host all reeve all scram-sha-256\nhost all all all trust");
  await target.sql("SELECT pg_reload_conf()");
  const table = await target.oid("table", "orders");
  const wanted = await specOf(target, TABLE, "write", "ada");
  const others: string[] = [];
  const pending: Promise<unknown>[] = [];
  const sessions: pg.Client[] = [];
  return {
    address: { host: "127.0.0.1", port: target.server.port },
    config: ({ host, port }) => ({
      host,
      port,
      database: "postgres",
      username: "reeve",
      identityRoles: "%",
      tls: "off",
    }),
    secrets: { password: PASSWORD },
    wrongSecrets: { password: "wrong-password-of-somebody" },
    async reset() {
      await Promise.allSettled(pending.splice(0));
      const [row] = await target.sql("SELECT relname FROM pg_class WHERE oid = $1", [table]);
      if (row?.relname !== "orders") await target.sql(`ALTER TABLE sales.${row?.relname} RENAME TO orders`);
      for (const role of others.splice(0)) await target.sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
      await target.sql("REVOKE ALL ON sales.orders FROM ada, grace, linus; GRANT SELECT ON sales.orders TO linus");
      for (const client of sessions.splice(0)) await client.end().catch(() => undefined);
    },
    async observe() {
      await Promise.all(pending);
      return { resources: await resourcesOf(target), access: await accessOf(target) };
    },
    rename: async () => void (await target.sql("ALTER TABLE sales.orders RENAME TO purchases")),
    access: {
      wanted: [wanted, await specOf(target, TABLE, "read", "grace")],
      changed: await specOf(target, TABLE, "read", "ada"),
      nowhere: { ...wanted, resource: { type: "table", externalId: "1" } },
      foreign: await specOf(target, TABLE, "read", "linus"),
      interfere: () => interfere(target, others, pending),
    },
    principals: {
      there: { type: "service_account", named: "grace" },
      found: { externalId: await target.oid("role", "grace"), displayName: "grace" },
      missing: "Grace",
    },
    sessions: {
      principal: { type: "service_account", externalId: await target.oid("role", "grace") },
      async open() {
        const client = new pg.Client({
          host: "127.0.0.1",
          port: target.server.port,
          database: "postgres",
          user: "grace",
        });
        client.on("error", () => undefined);
        await client.connect();
        sessions.push(client);
        return 1;
      },
    },
    async close() {
      for (const client of sessions) await client.end().catch(() => undefined);
      await target.stop();
    },
  };
});

/** Where the connector holds the lock, PostgreSQL lets this grant wait until it is done, and refuses it once. */
async function interfere(target: Target, others: string[], pending: Promise<unknown>[]): Promise<GrantSpec> {
  const role = `other_${others.length}`;
  await target.sql(`CREATE ROLE ${role} LOGIN`);
  others.push(role);
  let done = false;
  const give = () => target.sql(`GRANT SELECT ON sales.orders TO ${role}`);
  const given = give()
    .catch(give)
    .then(() => {
      done = true;
    });
  pending.push(given);
  await vi.waitFor(async () => {
    const [row] = await target.sql(
      "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1",
      [`GRANT SELECT%${role}`],
    );
    expect(done || row?.waiting === 1).toBe(true);
  });
  return specOf(target, TABLE, "read", role);
}

async function resourcesOf(target: Target): Promise<Record<string, string[]>> {
  const ids = async (text: string) => (await target.sql(text)).map(({ oid }) => oid as string);
  return {
    database: await ids("SELECT oid::text FROM pg_database WHERE datname = current_database()"),
    schema: await ids("SELECT oid::text FROM pg_namespace WHERE nspname IN ('public', 'sales')"),
    table: await ids("SELECT oid::text FROM pg_class WHERE relnamespace = 'sales'::regnamespace AND relkind = 'r'"),
    role: await ids("SELECT oid::text FROM pg_authid"),
  };
}

/** Everything that is granted to somebody by name, from the catalogs. */
async function accessOf(target: Target): Promise<Access[]> {
  const rows = await target.sql(`
    WITH entry AS (
      SELECT 'database' AS type, d.oid, d.datdba AS owner, a.grantee, a.privilege_type AS privilege
      FROM pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a WHERE d.datname = current_database()
      UNION ALL
      SELECT 'schema', n.oid, n.nspowner, a.grantee, a.privilege_type
      FROM pg_namespace n, aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) a WHERE n.nspname IN ('public', 'sales')
      UNION ALL
      SELECT 'table', c.oid, c.relowner, a.grantee, a.privilege_type
      FROM pg_class c, aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a WHERE c.relnamespace = 'sales'::regnamespace
    ), named AS (
      SELECT type, oid, grantee, type || '.' || CASE privilege
        WHEN 'CONNECT' THEN 'connect' WHEN 'TEMPORARY' THEN 'temporary' WHEN 'CREATE' THEN 'create' WHEN 'USAGE' THEN 'use'
        WHEN 'SELECT' THEN 'read' WHEN 'INSERT' THEN 'write' WHEN 'UPDATE' THEN 'write' WHEN 'DELETE' THEN 'write'
        ELSE 'manage' END AS profile FROM entry
      UNION SELECT type, oid, owner, type || '.owner' FROM entry
      UNION SELECT 'role', roleid, member, CASE WHEN admin_option THEN 'role.administrator' ELSE 'role.member' END FROM pg_auth_members
    )
    SELECT named.type, named.oid::text, grantee::text, profile, coalesce(rolcanlogin, false) AS login
    FROM named LEFT JOIN pg_authid ON pg_authid.oid = grantee`);
  return rows.map(({ type, oid, grantee, profile, login }) => ({
    resource: { type: type as string, externalId: oid as string },
    profileExternalId: profile as string,
    principal: { type: login ? "service_account" : "group", externalId: grantee as string },
  }));
}
