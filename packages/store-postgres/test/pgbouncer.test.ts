import { randomBytes } from "node:crypto";
import { account, accounts, createPlane, createTenant, thing, things } from "@reeve/testkit";
import { runSql } from "@reeve/testkit/postgres";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { diagnosePostgres, type PostgresStoreOptions } from "../src/index.js";
import { openPooler, pgbouncer } from "./pgbouncer.js";
import { connect, emptyDatabase, openStore } from "./support.js";

/** A migrated database and a pooler before it, whose login is the role of requests. */
async function pooled(connections?: number) {
  const role = `app_${randomBytes(4).toString("hex")}`;
  // Hooks run last first: the role goes once the database with its rights is gone.
  onTestFinished(async () => {
    for (const name of [role, `${role}_search`]) await runSql(inject("postgresUrl"), `drop role if exists ${name}`);
  });
  const url = await emptyDatabase();
  const admin = await connect(url);
  await admin.query(`create role ${role} login`);
  const pooler = await openPooler(url, [role, "postgres"], connections);
  const warnings: string[] = [];
  const logger = { info() {}, error() {}, warn: (_: object, text: string) => void warnings.push(text) };
  const open = (options: Partial<PostgresStoreOptions> = {}) =>
    openStore(pooler.through(role), {
      runtimeRole: role,
      pooler: "transaction",
      migrationUrl: url,
      directUrl: url,
      logger,
      ...options,
    });
  const store = open();
  await store.migrate();
  return { url, admin, pooler, store, open, warnings };
}

describe.skipIf(pgbouncer.path === undefined)(`behind a real PgBouncer${pgbouncer.note}`, () => {
  it("two tenants at once, on fewer connections than requests, see their own alone", async () => {
    const { store, open, admin } = await pooled(2);
    const stores = [store, open()];
    const work = Array.from({ length: 120 }, async (_, n) => {
      const tenant = `t${n % 4}`;
      const own = (stores[n % 2] as typeof store).forTenant(tenant);
      if (n % 3 === 0) await own.insert(things, thing(n));
      else if (n % 3 === 1)
        await (stores[n % 2] as typeof store).transaction(tenant, async (tx) => {
          await tx.count(things);
          await tx.insert(things, thing(n));
        });
      const { rows } = await own.find(things, { size: 100 });
      return rows.every(({ value }) => Number(value.name.split(" ")[1]) % 4 === n % 4);
    });
    expect(new Set(await Promise.all(work))).toEqual(new Set([true]));
    const { rows } = await admin.query(
      "select count(*)::int as n from pg_stat_activity where usename like 'app\\_%' and datname = current_database() and application_name = ''",
    );
    expect(rows[0].n).toBeLessThanOrEqual(2);
  });

  it("a control plane serves requests, and tells 503 and never 500 while the pooler is gone", async () => {
    const { store, pooler } = await pooled();
    const plane = createPlane({ store });
    await plane.controlPlane.ready();
    const tenant = await createTenant(plane, "pooled");
    const { token } = tenant.owner;
    const list = async () => (await plane.send("GET", "/api/v1/ai-assets", { token })).status;
    const body = { name: "asset", assetType: "application" };
    await Promise.all(Array.from({ length: 30 }, () => tenant.newAsset()));
    expect(await list()).toBe(200);
    await pooler.crash();
    for (let n = 0; n < 5; n++) {
      expect(await list()).toBe(503);
      expect((await plane.send("POST", "/api/v1/ai-assets", { token, body })).status).toBe(503);
    }
    await pooler.restart();
    await expect.poll(list).toBe(200);
  });

  it("changes of another process are heard past it, and it is told when the way leads to it", async () => {
    const { url, store, open, pooler, warnings } = await pooled();
    const heard: string[] = [];
    await open().watch?.((change) => void heard.push(change?.tenantId ?? "anything"));
    expect(warnings).toEqual([]);
    await store.forTenant("t").insert(accounts, account(1));
    await expect.poll(() => heard).toEqual(["anything", "t"]);
    const misled = open({ directUrl: pooler.through("postgres") });
    await misled.watch?.(() => {});
    await expect.poll(() => warnings).toEqual([expect.stringContaining("directUrl")]);
    await expect(open({ pooler: "none" }).status()).rejects.toThrow(/REEVE_POOLER=transaction/);
    const ways = { url: pooler.through("postgres"), pooler: "transaction" } as const;
    expect(await diagnosePostgres({ ...ways, directUrl: pooler.through("postgres") })).toMatchObject([
      { option: "directUrl", outcome: "fault" },
    ]);
    expect(await diagnosePostgres({ ...ways, directUrl: url })).toMatchObject([{ outcome: "ok" }]);
  });
});
