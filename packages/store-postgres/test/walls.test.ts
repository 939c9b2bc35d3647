import { account, accounts, event, setting, settings, thing, things } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { connect, emptyDatabase, freshStore, openStore } from "./support.js";

const asRuntime = "-c role=reeve_app";

describe("M6: row-level security", () => {
  it("is forced, with a policy, on every table that has a tenant", async () => {
    const { url } = await freshStore();
    const admin = await connect(url);
    const { rows } = await admin.query<{ name: string; walled: boolean }>(`
      select c.relname as name, c.relrowsecurity and c.relforcerowsecurity
        and exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant') as walled
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where c.relkind in ('r', 'p') order by 1`);
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((row) => !row.walled)).toEqual([]);
  });

  it("has no door: no view, and functions that run as their owner name their search path and filter by the tenant", async () => {
    const { url } = await freshStore();
    const admin = await connect(url);
    const views = await admin.query("select from pg_views where schemaname = 'reeve'");
    expect(views.rowCount).toBe(0);
    const { rows } = await admin.query<{ source: string; config: string[] | null; owner: string; open: boolean }>(`
      select p.prosrc as source, p.proconfig as config, r.rolname as owner,
        exists (select from aclexplode(p.proacl) a where a.grantee = 0) as open
      from pg_proc p join pg_roles r on r.oid = p.proowner
      where p.prosecdef and p.pronamespace = 'reeve'::regnamespace`);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row.config?.join()).toMatch(/^search_path=pg_catalog/);
      expect(row.source).toContain("current_setting('reeve.tenant', true)");
      expect([row.owner, row.open]).toEqual(["reeve_app_search", false]);
    }
  });

  it("shows nothing without a tenant, to the runtime role and to an owner who is no superuser", async () => {
    const { store, url } = await freshStore();
    await fill(store);
    const admin = await connect(url);
    const owner = `owner_${new URL(url).pathname.slice(-8)}`;
    await admin.query(
      `create role ${owner}; grant usage on schema reeve to ${owner}; alter table contract_things owner to ${owner}`,
    );
    for (const role of ["reeve_app", owner]) {
      const client = await connect(url, `-c role=${role}`);
      for (const tenant of [undefined, "", "u"]) {
        if (tenant !== undefined) await client.query("select set_config('reeve.tenant', $1, false)", [tenant]);
        expect((await client.query("select from contract_things")).rowCount, `${role} as ${tenant}`).toBe(0);
      }
      await client.query("select set_config('reeve.tenant', 't', false)");
      expect((await client.query("select from contract_things")).rowCount).toBe(1);
    }
    await admin.query(`reassign owned by ${owner} to current_user; drop owned by ${owner}; drop role ${owner}`);
  });

  it("lets no row be written for, or moved to, another tenant", async () => {
    const { store, url } = await freshStore();
    await fill(store);
    const client = await connect(url, asRuntime);
    await client.query("select set_config('reeve.tenant', 't', false)");
    await expect(client.query("update contract_things set tenant_id = 'u'")).rejects.toMatchObject({ code: "42501" });
    await expect(client.query("insert into counters values ('u', 'x', '', '', 1)")).rejects.toMatchObject({
      code: "42501",
    });
  });

  it("opens reads across tenants for collections of platform scope only", async () => {
    const { store, url } = await freshStore();
    await fill(store);
    const client = await connect(url, asRuntime);
    await client.query("select set_config('reeve.platform', 'on', false)");
    expect((await client.query("select from contract_accounts")).rowCount).toBe(1);
    expect((await client.query("select from contract_things")).rowCount).toBe(0);
    expect((await client.query("delete from contract_accounts")).rowCount).toBe(0);
    expect((await client.query("update contract_accounts set version = 9")).rowCount).toBe(0);
  });

  it("the runtime role cannot make tables, lift walls or change what happened", async () => {
    const { store, url } = await freshStore();
    await fill(store);
    const client = await connect(url, asRuntime);
    await client.query("select set_config('reeve.tenant', 't', false)");
    for (const statement of [
      "create table own (id int)",
      "alter table contract_things disable row level security",
      "drop policy tenant on contract_things",
      "truncate events",
      "delete from events",
      "update events set attributes = '{}'",
      "set role postgres_no_such_role",
    ]) {
      await expect(client.query(statement), statement).rejects.toThrow();
    }
  });

  it.each([
    ["a superuser", "superuser"],
    ["one that bypasses row-level security", "bypassrls"],
  ])("refuses a runtime role that is %s", async (_, attribute) => {
    const { url } = await freshStore();
    const admin = await connect(url);
    const role = `strong_${new URL(url).pathname.slice(-8)}`;
    await admin.query(`create role ${role} ${attribute}`);
    const store = openStore(url, { runtimeRole: role });
    await expect(store.forTenant("t").count(things)).rejects.toMatchObject({ code: "schema" });
    await admin.query(`drop role ${role}`);
  });

  it("refuses a runtime role that owns tables", async () => {
    const { url } = await freshStore();
    const admin = await connect(url);
    const role = `owner_${new URL(url).pathname.slice(-8)}`;
    await admin.query(`create role ${role}; alter table counters owner to ${role}`);
    await expect(openStore(url, { runtimeRole: role }).forTenant("t").count(things)).rejects.toMatchObject({
      code: "schema",
    });
    await admin.query(`reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`);
  });

  it("says that the schema is missing where nobody migrated", async () => {
    const store = openStore(await emptyDatabase(), { runtimeRole: "nobody_made_this_role" });
    await expect(store.forTenant("t").count(things)).rejects.toMatchObject({ code: "schema" });
  });
});

async function fill(store: Awaited<ReturnType<typeof freshStore>>["store"]): Promise<void> {
  await store.transaction("t", async (tx) => {
    await tx.insert(things, thing(1));
    await tx.insert(accounts, account(1));
    await tx.insert(settings, setting("a", 1));
    await tx.append(event(1, ["s"]));
  });
}
