import type { Store } from "@reeve/core/store";
import { createPlane, createTenant, event, setting, settings, thing, things } from "@reeve/testkit";
import { type PostgresServer, runSql, startPostgres } from "@reeve/testkit/postgres";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createPostgresStore, diagnosePostgres } from "../src/index.js";
import { connect, openStore } from "./support.js";

/** Longer than any test. */
const LONG_MS = 600_000;
const SHORT_MS = 400;
/** So long that a paused replica still serves, and so short that moments of the log are noted every few seconds. */
const MEDIUM_MS = 30_000;

let primary: PostgresServer;
let standby: PostgresServer;
let schemas = 0;

beforeAll(async () => {
  primary = await startPostgres({ inMemory: true });
  standby = await primary.standby();
});

afterAll(async () => {
  await standby.stop();
  await primary.stop();
});

/** A process with a replica, and another one without, on tables of their own. */
async function twoProcesses(maxReplicaStalenessMs: number, follower = standby) {
  const schema = `replica${++schemas}`;
  const other = openStore(primary.url(), { schema });
  await other.migrate();
  const store = openStore(primary.url(), { schema, replicaUrl: follower.url(), maxReplicaStalenessMs });
  const admin = await connect(follower.url());
  await caughtUp(admin);
  return { store, other, admin };
}

type Processes = Awaited<ReturnType<typeof twoProcesses>>;
type Admin = Processes["admin"];

/** Stops the replica where it has all that was written. Resolves when reads get their answers from it. */
async function standStill({ store, other, admin }: Processes): Promise<void> {
  await stop(admin, () => seen(store));
  const later = setting(`later ${++schemas}`, 1);
  await other.forTenant("apart").insert(settings, later);
  await expect.poll(() => replicaOf(store, "apart").get(settings, later.id)).toBeUndefined();
}

/** Waits until the replica is asked and has all that was written, and stops it there. */
async function stop(admin: Admin, read: () => Promise<unknown>): Promise<void> {
  const { rows } = await admin.query("select clock_timestamp() as since");
  await expect
    .poll(async () => {
      await read();
      const asked = await admin.query(
        "select from pg_stat_activity where pid <> pg_backend_pid() and query like '%reeve.tenant%' and query_start > $1",
        [rows[0].since],
      );
      return asked.rows.length;
    })
    .toBeGreaterThan(0);
  await caughtUp(admin);
  await admin.query("select pg_wal_replay_pause()");
  onTestFinished(async () => {
    if (await isStandby(admin)) await admin.query("select pg_wal_replay_resume()");
  });
  await expect
    .poll(async () => (await admin.query("select pg_get_wal_replay_pause_state() as state")).rows[0].state)
    .toBe("paused");
}

async function isStandby(admin: Admin): Promise<boolean> {
  return (await admin.query("select pg_is_in_recovery() as is")).rows[0].is;
}

async function caughtUp(admin: Admin): Promise<void> {
  const writer = await connect(primary.url());
  const { rows } = await writer.query("select pg_current_wal_insert_lsn() as lsn");
  const replayed = () => admin.query("select pg_last_wal_replay_lsn() >= $1::pg_lsn as is", [rows[0].lsn]);
  await expect.poll(async () => (await replayed()).rows[0].is).toBe(true);
}

function replicaOf(store: Store, tenantId = "t") {
  if (!store.replica) throw new Error("the store has no replica");
  return store.replica(tenantId);
}

const seen = async (store: Store, tenantId = "t") => (await replicaOf(store, tenantId).count(things)).count;

describe("a replica", () => {
  it("answers what it has, without what another process wrote a moment ago", async () => {
    const processes = await twoProcesses(LONG_MS);
    const { store, other } = processes;
    await other.forTenant("t").insert(things, thing(1));
    await other.forTenant("t").append(event(1));
    await standStill(processes);
    await other.forTenant("t").insert(things, thing(2));
    const before = store.stats?.().replica?.served ?? 0;
    expect(await seen(store)).toBe(1);
    const { pools, replica } = store.stats?.() ?? {};
    expect(replica).toMatchObject({ served: before + 1, failed: 0, ageMs: expect.any(Number) });
    expect(pools?.map(({ name, used, limit }) => ({ name, used, limit }))).toEqual([
      { name: "requests", used: 0, limit: 10 },
      { name: "replica", used: 0, limit: 10 },
    ]);
    expect((await replicaOf(store).find(things, { size: 10 })).rows).toHaveLength(1);
    expect((await replicaOf(store).scanEvents({ size: 10 })).length).toBe(1);
    expect((await store.forTenant("t").count(things)).count).toBe(2);
  });

  it("shows a tenant nothing of another one", async () => {
    const processes = await twoProcesses(LONG_MS);
    const { store, other } = processes;
    await other.forTenant("t").insert(things, thing(1));
    await other.forTenant("u").insert(settings, setting("theirs", 1));
    await standStill(processes);
    await other.forTenant("u").insert(things, thing(2));
    expect(await seen(store, "u")).toBe(0);
    expect(await replicaOf(store, "u").get(things, thing(1).id)).toBeUndefined();
    expect(await replicaOf(store, "t").get(settings, "theirs")).toBeUndefined();
    expect(await replicaOf(store, "u").get(settings, "theirs")).toBeDefined();
  });

  it("never lacks what this process wrote, in any way", async () => {
    const processes = await twoProcesses(LONG_MS);
    const { store, other } = processes;
    await other.forTenant("t").insert(things, thing(1));
    await standStill(processes);
    await store.forTenant("t").insert(things, thing(2));
    expect(await seen(store)).toBe(2);
    expect(await seen(store, "u")).toBe(0);
    await store.transaction("u", async (tx) => {
      await tx.count(things);
      await tx.as("v").insert(things, thing(3));
    });
    expect(await seen(store, "v")).toBe(1);
  });

  it("is left in the middle of a request for good, so that nothing is seen to vanish", async () => {
    const processes = await twoProcesses(LONG_MS);
    const { store, other } = processes;
    await other.forTenant("t").insert(things, thing(1));
    await standStill(processes);
    await other.forTenant("t").insert(things, thing(3));
    expect(await seen(store)).toBe(1);
    const request = replicaOf(store);
    expect((await request.count(things)).count).toBe(1);
    await store.forTenant("t").insert(things, thing(2));
    expect((await request.count(things)).count).toBe(3);
    expect(await request.get(things, thing(2).id)).toBeDefined();
  });

  it("is not returned to by a request that left it, although it has caught up", async () => {
    const processes = await twoProcesses(MEDIUM_MS);
    const { store, other, admin } = processes;
    await other.forTenant("t").insert(things, thing(1));
    await stop(admin, () => seen(store));
    await store.forTenant("t").insert(things, thing(2));
    const request = replicaOf(store);
    expect((await request.count(things)).count).toBe(2);
    await admin.query("select pg_wal_replay_resume()");
    await caughtUp(admin);
    await standStill(processes);
    await other.forTenant("t").insert(things, thing(3));
    await expect.poll(() => seen(store)).toBe(2);
    expect((await request.count(things)).count).toBe(3);
  });

  it("is not asked for longer than it may be behind", async () => {
    const { store, other, admin } = await twoProcesses(SHORT_MS);
    await other.forTenant("t").insert(things, thing(1));
    await stop(admin, () => seen(store));
    await other.forTenant("t").insert(things, thing(2));
    await expect.poll(() => seen(store)).toBe(2);
    // Now that it is too far behind, it stays so until it goes on.
    await other.forTenant("t").insert(things, thing(3));
    expect(await seen(store)).toBe(3);
    const { dropped = 0, passedOver = 0 } = store.stats?.().replica ?? {};
    expect(dropped + passedOver).toBeGreaterThan(0);
    await admin.query("select pg_wal_replay_resume()");
    await stop(admin, () => seen(store));
  });
});

describe("a replica that fails", () => {
  it("lets no read fail: gone, back again, and promoted", async () => {
    const follower = await primary.standby();
    onTestFinished(() => follower.stop());
    const { store, other, admin } = await twoProcesses(SHORT_MS, follower);
    await other.forTenant("t").insert(things, thing(1));
    await follower.restart("immediate");
    expect(await seen(store)).toBe(1);
    await follower.crash();
    for (let n = 2; n < 20; n++) {
      await other.forTenant("t").insert(things, thing(n));
      expect(await seen(store)).toBeGreaterThan(0);
    }
    expect(store.stats?.().replica?.failed).toBeGreaterThan(0);
    expect(store.stats?.().replica?.ageMs).toBeUndefined();
    await follower.restart("fast");
    const again = await connect(follower.url());
    await stop(again, () => seen(store));
    await again.query("select pg_wal_replay_resume()");
    await again.query("select pg_promote()");
    await other.forTenant("t").insert(things, thing(20));
    await expect.poll(() => seen(store)).toBe(20);
    await other.forTenant("t").insert(things, thing(21));
    expect(await seen(store)).toBe(21);
    await admin.end();
  });

  it("is not needed to start with, and a server that takes writes is none", async () => {
    const schema = `replica${++schemas}`;
    const nowhere = "postgres://postgres@127.0.0.1:1/postgres";
    const store = openStore(primary.url(), { schema, replicaUrl: nowhere, maxReplicaStalenessMs: SHORT_MS });
    await store.migrate();
    const itself = openStore(primary.url(), { schema, replicaUrl: primary.url(), maxReplicaStalenessMs: SHORT_MS });
    for (let n = 1; n < 10; n++) {
      await store.forTenant("t").insert(things, thing(n));
      expect(await seen(store)).toBe(n);
      expect(await seen(itself)).toBe(n);
    }
  });

  it("is not asked when it follows another server, which was there before a restore", async () => {
    const before = await startPostgres({ inMemory: true });
    onTestFinished(() => before.stop());
    const schema = `replica${++schemas}`;
    for (const server of [before, primary]) await openStore(server.url(), { schema }).migrate();
    const place = async (url: string) =>
      (await (await connect(url)).query("select pg_current_wal_lsn() - '0/0' as at")).rows[0].at;
    const mebibyte = "select pg_logical_emit_message(false, 'more', repeat('x', 1048576))";
    while (Number(await place(before.url())) <= Number(await place(primary.url())) + 2 ** 26)
      await runSql(before.url(), `select * from generate_series(1, 16) cross join lateral (${mebibyte}) as more`);
    const follower = await before.standby();
    onTestFinished(() => follower.stop());
    const store = openStore(primary.url(), { schema, replicaUrl: follower.url(), maxReplicaStalenessMs: SHORT_MS });
    const other = openStore(primary.url(), { schema });
    for (let n = 1; n < 20; n++) {
      await other.forTenant("t").insert(things, thing(n));
      expect(await seen(store)).toBe(n);
    }
  });

  it("is refused with a staleness that cannot be measured, and absent without a URL", () => {
    const url = primary.url();
    for (const maxReplicaStalenessMs of [0, 99, -1, Number.NaN]) {
      expect(() => createPostgresStore({ url, replicaUrl: url, maxReplicaStalenessMs })).toThrow(/Staleness/);
    }
    expect(() => createPostgresStore({ url, replicaUrl: "" })).toThrow(/replicaUrl/);
    expect(openStore(url).replica).toBeUndefined();
  });
});

describe("requests with a replica", () => {
  it("read lists and exports from it, and all that decides from the server that takes writes", async () => {
    const processes = await twoProcesses(LONG_MS);
    const { store, other } = processes;
    const writing = createPlane({ store: other });
    await writing.controlPlane.ready();
    const tenant = await createTenant(writing, "replica");
    const { token } = tenant.owner;
    await tenant.newAsset();
    const reading = createPlane({ store, clock: writing.clock, ids: writing.ids });
    await reading.controlPlane.ready();
    const list = async (headers = {}) =>
      (await reading.send("GET", "/api/v1/ai-assets", { token, headers })).json.totalItems;
    const exported = async () => (await reading.send("GET", "/api/v1/ai-governance/audit/export", { token })).text;
    await list();
    await standStill(processes);
    const before = await exported();
    const asset = await tenant.newAsset();
    expect(await list()).toBe(1);
    expect(await list({ "cache-control": "no-cache" })).toBe(2);
    expect(await exported()).toBe(before);
    const own = await reading.send("GET", `/api/v1/ai-assets/${asset}`, { token });
    expect(own.status).toBe(200);
    // What lies under a record that the replica lacks is not refused.
    expect((await reading.send("GET", `/api/v1/ai-assets/${asset}/activity`, { token })).status).toBe(200);
    const merged = { token, body: { metadata: { own: true } } };
    expect((await reading.send("PATCH", `/api/v1/ai-assets/${asset}/metadata`, merged)).status).toBe(200);
    expect(await list()).toBe(2);
    expect(await exported()).not.toBe(before);
  });
});

describe("a standby", () => {
  it("tells where it stands to the role of requests", async () => {
    await runSql(primary.url(), "create role replica_reader login");
    await caughtUp(await connect(standby.url()));
    const reader = await connect(standby.url().replace("postgres@", "replica_reader@"));
    const { rows } = await reader.query(
      "select pg_last_wal_replay_lsn() as lsn, (select timeline_id from pg_control_checkpoint()) as timeline",
    );
    expect(rows[0]).toMatchObject({
      lsn: expect.stringMatching(/^[0-9A-F]+\/[0-9A-F]+$/),
      timeline: expect.any(Number),
    });
  });
});

describe("a diagnosis", () => {
  const of = async (options: Parameters<typeof diagnosePostgres>[0], option: string) =>
    (await diagnosePostgres({ url: primary.url(), ...options })).find((found) => found.option === option);

  it("tells a standby of this server from the server itself and from one that is not there", async () => {
    expect(await of({ replicaUrl: standby.url() }, "replicaUrl")).toMatchObject({
      outcome: "ok",
      detail: expect.stringMatching(/^it follows this server and is \d+\.\d s behind$/),
    });
    expect(await of({ replicaUrl: primary.url() }, "replicaUrl")).toMatchObject({
      outcome: "fault",
      detail: expect.stringContaining("it is no standby"),
    });
    const nowhere = new URL(standby.url());
    nowhere.port = "1";
    expect(await of({ replicaUrl: nowhere.href }, "replicaUrl")).toMatchObject({ outcome: "fault" });
    expect(await of({ directUrl: primary.url() }, "directUrl")).toMatchObject({ outcome: "ok" });
  });

  it("compares the pool with what the server admits, and names a login that may not do its work", async () => {
    expect(await of({ poolSize: 5 }, "poolSize")).toMatchObject({ outcome: "ok" });
    expect(await of({ poolSize: 10_000 }, "poolSize")).toMatchObject({ outcome: "fault" });
    const { other } = await twoProcesses(LONG_MS);
    await other.close();
    await runSql(primary.url(), "create role stranger login");
    const stranger = new URL(primary.url());
    stranger.username = "stranger";
    const schema = `replica${schemas}`;
    const foreign = await of({ migrationUrl: stranger.href, schema }, "migrationUrl");
    expect(foreign).toMatchObject({ outcome: "fault", detail: expect.stringContaining("does not own") });
    await runSql(primary.url(), `alter schema ${schema} owner to stranger`);
    const weak = await of({ migrationUrl: stranger.href, schema }, "migrationUrl");
    expect(weak).toMatchObject({ outcome: "warning", detail: expect.stringContaining("BYPASSRLS") });
    expect(await of({ migrationUrl: primary.url(), schema }, "migrationUrl")).toMatchObject({ outcome: "ok" });
  });
});
