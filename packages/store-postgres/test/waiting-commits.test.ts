import { createPlane, createTenant, manyThings, setting, settings, things } from "@reeve/testkit";
import { runSql, startPostgres } from "@reeve/testkit/postgres";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { createPostgresStore } from "../src/index.js";
import { freshStore, migrations, openStore } from "./support.js";

/** A server that confirms commits only after a standby, which can be away. */
async function serverOfStandby() {
  const server = await startPostgres({ inMemory: true, settings: { synchronous_commit: "on" } });
  onTestFinished(() => server.stop());
  const url = server.url();
  const set = async (names: string) => {
    await runSql(url, `alter system set synchronous_standby_names = '${names}'`);
    await runSql(url, "select pg_reload_conf()");
    await expect
      .poll(async () => (await runSql(url, "show synchronous_standby_names"))[0]?.synchronous_standby_names)
      .toBe(names);
  };
  const waiting = async () =>
    (await runSql(url, "select count(*)::int as n from pg_stat_activity where wait_event = 'SyncRep'"))[0]?.n;
  return { url, goes: () => set("nobody"), comes: () => set(""), waiting };
}

describe("while a synchronous standby is away", () => {
  it("reads of other tenants go on, and writes wait or are busy", async () => {
    const { url, goes, comes, waiting } = await serverOfStandby();
    const store = openStore(url, { poolSize: 3, connectionTimeoutMs: 1_000, answerTimeoutMs: 60_000 });
    const plane = createPlane({ store });
    const tokens: string[] = [];
    for (const name of ["one", "two", "three"]) tokens.push((await createTenant(plane, name)).owner.token);
    const create = (at: number) =>
      plane.send("POST", "/api/v1/ai-assets", {
        token: tokens[at],
        body: { name: `asset of ${at}`, assetType: "application" },
        headers: { "idempotency-key": `key-${at}` },
      });
    const list = () => plane.send("GET", "/api/v1/ai-assets", { token: tokens[2] });
    expect((await list()).status).toBe(200);
    await goes();
    const creates = [create(0), create(1)];
    await expect.poll(waiting).toBe(2);
    const lists = await Promise.all(Array.from({ length: 8 }, list));
    expect(lists.map(({ status }) => status)).toEqual(lists.map(() => 200));
    expect((await plane.send("GET", "/api/v1/monitor/ping")).status).toBe(200);
    expect(await create(2)).toMatchObject({ status: 503, json: { code: "storage_busy" } });
    await comes();
    expect((await Promise.all(creates)).map(({ status }) => status)).toEqual([201, 201]);
    expect((await create(2)).status).toBe(201);
  });

  it("claims of what is due take no connection from reads, in a pool of the host's either", async () => {
    const { url, goes, comes, waiting } = await serverOfStandby();
    const pool = new pg.Pool({ connectionString: url, max: 3 });
    pool.on("error", () => {});
    onTestFinished(() => pool.end());
    const store = createPostgresStore({ pool, migrations, connectionTimeoutMs: 4_000, answerTimeoutMs: 60_000 });
    onTestFinished(() => store.close());
    await store.migrate();
    await store.dues.lower(["a", "b", "c"], "2026-01-01");
    await goes();
    const claims = ["a", "b"].map((tenantId) => store.dues.claim(tenantId, "2026-01-01", 1_000));
    await expect.poll(waiting).toBe(2);
    await expect(store.dues.claim("c", "2026-01-01", 1_000)).rejects.toMatchObject({ code: "busy" });
    expect((await store.forTenant("t").count(things)).count).toBe(0);
    expect(await store.dues.find("2026-01-01", 5)).toHaveLength(3);
    await comes();
    expect(await Promise.all(claims)).toEqual([1, 1]);
  });
});

it("transactions of many tenants take turns on a small pool, and may read outside of themselves on one of three", async () => {
  for (const poolSize of [1, 2, 3]) {
    const { store } = await freshStore({ poolSize });
    const tenants = Array.from({ length: 12 }, (_, n) => `t${n}`);
    await Promise.all(
      tenants.map((tenantId, n) =>
        store.transaction(tenantId, async (tx) => {
          expect((await tx.count(things)).count).toBe(0);
          if (poolSize > 2) await store.forTenant("other").get(settings, "n");
          await tx.insertMany(things, manyThings(n + 1));
          await tx.insert(settings, setting("n", n));
        }),
      ),
    );
    const counts = await Promise.all(tenants.map(async (id) => (await store.forTenant(id).count(things)).count));
    expect(counts).toEqual(tenants.map((_, n) => n + 1));
  }
});
