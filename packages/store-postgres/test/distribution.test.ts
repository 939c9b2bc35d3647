import { migrations, statementsOf, tablesOf } from "@reeve/store-sql";
import { contractCollections } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { collectionMigration, createPostgresStore } from "../src/index.js";
import { placementsOf, tableStatements } from "../src/migrate/distribution.js";
import { tableDialect } from "../src/statement/dialect.js";
import { connect, migrations as contract, emptyDatabase, freshStore, openStore } from "./support.js";

/** Tables that are read by a key of all tenants, so that a cluster would need a copy of each on every node. */
const COPIED = [
  "agent_tool_keys",
  "browser_sessions",
  "installation_keys",
  "machine_clients",
  "password_links",
  "refresh_tokens",
  "registry_key_hashes",
  "revoked_tokens",
  "saml_nonces",
  "subdomains",
  "tenants",
  "users",
];
/** Tables of the schema itself, which one node keeps. */
const LOCAL = ["backfills", "migrations"];

/** Looks for names in the catalogue of a new database. */
async function catalogue(): Promise<(sql: string) => Promise<string[]>> {
  const url = await emptyDatabase();
  const store = createPostgresStore({ url });
  await store.migrate();
  await store.close();
  const admin = await connect(url);
  return async (sql) => (await admin.query<{ name: string }>(sql)).rows.map(({ name }) => name);
}

describe("K22, O12 tables, for whoever distributes them by tenant", () => {
  it("have a tenant each but those of the schema itself", async () => {
    const namesOf = await catalogue();
    const lacking = `select c.relname as name from pg_class c
      where c.relnamespace = 'reeve'::regnamespace and c.relkind in ('r', 'p')
      and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id') order by 1`;
    expect(await namesOf(lacking)).toEqual(LOCAL);
  });

  it("have the tenant in every unique key but those few that are read by a key of all tenants", async () => {
    const namesOf = await catalogue();
    const lacking = `select distinct t.relname::text collate "C" as name
      from pg_index x join pg_class t on t.oid = x.indrelid
      where t.relnamespace = 'reeve'::regnamespace and x.indisunique and not exists (
        select from pg_attribute a
        where a.attrelid = t.oid and a.attname = 'tenant_id' and a.attnum = any(x.indkey)) order by 1`;
    expect(await namesOf(lacking)).toEqual([...COPIED, ...LOCAL].sort());
  });

  it("refer to no other table by a foreign key", async () => {
    const namesOf = await catalogue();
    const keys =
      "select conname as name from pg_constraint where connamespace = 'reeve'::regnamespace and contype = 'f'";
    expect(await namesOf(keys)).toEqual([]);
  });

  it("have policies without a sub-select, which no distributed table may have", async () => {
    const namesOf = await catalogue();
    const selects = `select tablename || '/' || policyname as name from pg_policies
      where schemaname = 'reeve' and (qual ilike '%select%' or with_check ilike '%select%')`;
    expect(await namesOf(selects)).toEqual([]);
  });

  it("are logged once they are distributed, as a node hands no others to another one while they are in use", () => {
    const made = migrations.flatMap((migration) => statementsOf(migration, tableDialect)).join("\n");
    const unlogged = [...made.matchAll(/CREATE UNLOGGED TABLE "reeve"\.(\w+)/g)].map(([, name]) => name);
    const logged = [...placementsOf(tablesOf(migrations))].flatMap(([table, placement]) => {
      const [first] = tableStatements({ table, placement, isDone: false });
      return first?.endsWith(" SET LOGGED") ? [table] : [];
    });
    expect(unlogged).toEqual(["quotas"]);
    expect(logged).toEqual(unlogged);
  });

  it("are changed one shard after the other by later migrations, without which a cluster changes no function", async () => {
    const { url } = await freshStore();
    const admin = await connect(url);
    await admin.query(`set allow_system_table_mods = on;
      create table pg_catalog.pg_dist_partition (logicalrelid oid);
      create function sequential() returns event_trigger language plpgsql as $$ begin
        if current_setting('citus.multi_shard_modify_mode', true) is distinct from 'sequential' then
          raise exception 'there was a parallel operation on a distributed table in the transaction';
        end if; end $$;
      create event trigger guard on ddl_command_start when tag in ('CREATE TABLE', 'CREATE FUNCTION', 'GRANT')
        execute function sequential()`);
    const more = contractCollections.map((collection) => ({ ...collection, name: `more_${collection.name}` }));
    const added = [...contract, collectionMigration(1_001, "more", more)];
    await openStore(url, { migrations: added }).migrate();
    const tables = await admin.query("select from pg_class where relname = 'more_contract_things'");
    expect(tables.rowCount).toBe(1);
  });

  it("are placed as their keys need, and nowhere without a cluster", async () => {
    const placements = [...placementsOf(tablesOf(migrations))];
    const placed = (wanted: string) =>
      placements.flatMap(([table, placement]) => (placement === wanted ? [table] : []));
    expect(placed("reference").sort()).toEqual(COPIED);
    expect(placed("local").sort()).toEqual(LOCAL);
    expect(placements[0]).toEqual(["chain_heads", "tenant"]);
    const store = createPostgresStore({ url: await emptyDatabase() });
    const refused = { code: "schema", message: expect.stringContaining("has no extension citus") };
    await expect(store.cluster.tables()).rejects.toMatchObject(refused);
    await expect(store.cluster.distribute()).rejects.toMatchObject(refused);
    await store.close();
  });
});
