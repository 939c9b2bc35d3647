import type { Store } from "@reeve/core/store";
import { createPlane, createTenant, event, setting, settings, thing, things } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { connect, freshStore, openStore } from "./support.js";

/** A database whose new connections only read while it is told so, as behind a name that leads to a standby. */
async function demotable() {
  const { url } = await freshStore();
  const admin = await connect(url);
  const name = new URL(url).pathname.slice(1);
  const demote = (isReadOnly: boolean) =>
    admin.query(`alter database ${name} ${isReadOnly ? "set default_transaction_read_only = on" : "reset all"}`);
  const drop = () =>
    admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
  return { url, demote, drop };
}

/** Each way by which writes come to the server. */
const works: readonly (readonly [string, (store: Store) => Promise<unknown>])[] = [
  ["a single write", (store) => store.forTenant("t").insert(things, thing(1))],
  [
    "one statement",
    (store) =>
      store.transaction("t", async (tx) => {
        await tx.insert(things, thing(1));
        await tx.append(event(1));
      }),
  ],
  [
    "a held transaction",
    (store) =>
      store.transaction("t", async (tx) => {
        await tx.count(things);
        await tx.insert(things, thing(1));
      }),
  ],
  [
    "a quota",
    (store) => store.reserveQuota("t", [{ key: "q", limit: 5, until: Date.now() + 60_000, spent: 0, wanted: 1 }], 0),
  ],
];

describe("a server that became read-only", () => {
  it.each(works)("K16 refuses %s, and its connection is not used again", async (_, work) => {
    const { url, demote } = await demotable();
    await demote(true);
    const store = openStore(url, { poolSize: 1 });
    expect(await store.forTenant("t").get(settings, "n")).toBeUndefined();
    await expect(work(store)).rejects.toMatchObject({ code: "unavailable" });
    expect((await store.forTenant("t").count(things)).count).toBe(0);
    await expect(work(store)).rejects.toMatchObject({ code: "unavailable" });
    await demote(false);
    await work(store);
  });

  it("K16 is not remembered by a connection that was asked for its state", async () => {
    const { url, demote } = await demotable();
    await demote(true);
    const store = openStore(url, { poolSize: 1 });
    expect(await store.status()).toMatchObject({ readOnly: true });
    await demote(false);
    expect(await store.status()).toMatchObject({ readOnly: false });
    await store.forTenant("t").insert(settings, setting("n", 1));
  });

  it("O6 is told apart by the health, while reads go on and writes are refused", async () => {
    const { url, demote, drop } = await demotable();
    const store = openStore(url);
    const plane = createPlane({ store });
    await plane.controlPlane.ready();
    const { owner } = await createTenant(plane, "standby");
    const ask = (method: string, target: string, body?: object) =>
      plane.send(method, target, { token: owner.token, body });
    const ping = async () => {
      const { status, json } = await ask("GET", "/api/v1/monitor/ping");
      return [status, json.checks];
    };
    expect(await ping()).toEqual([200, { store: "ok", migrations: "ok", writes: "ok", timedWork: "ok" }]);
    await demote(true);
    await drop();
    await expect.poll(ping).toEqual([503, { store: "ok", migrations: "ok", writes: "unavailable", timedWork: "ok" }]);
    expect((await ask("GET", "/api/v1/ai-assets")).status).toBe(200);
    const refused = await ask("POST", "/api/v1/ai-assets", { name: "one", assetType: "application" });
    expect(refused).toMatchObject({ status: 503, json: { code: "storage_unavailable", retryable: true } });
    await demote(false);
    await expect.poll(ping).toEqual([200, { store: "ok", migrations: "ok", writes: "ok", timedWork: "ok" }]);
    const created = await ask("POST", "/api/v1/ai-assets", { name: "one", assetType: "application" });
    expect(created.status, created.text).toBe(201);
  });
});

/** A store in which each insert of a setting fails with this SQLSTATE. */
async function failingWith(state: string) {
  const { url } = await freshStore();
  const admin = await connect(url);
  await admin.query(`create function fail() returns trigger language plpgsql as
    $$ begin raise exception 'it cannot be had' using errcode = '${state}'; end $$`);
  await admin.query(`create trigger fail before insert on reeve.${settings.name} for each row execute function fail()`);
  return openStore(url);
}

it("O6 a full disk is told apart by the status once a write found no room, until one finds some", async () => {
  const store = await failingWith("53100");
  expect(await store.status()).toMatchObject({ readOnly: false });
  await expect(store.forTenant("t").insert(settings, setting("n", 1))).rejects.toMatchObject({ code: "full" });
  expect(await store.status()).toMatchObject({ readOnly: true });
  await store.forTenant("t").insert(things, thing(1));
  expect(await store.status()).toMatchObject({ readOnly: false });
});

it("a schema of the host's with the name of the mark is no mark of a restored database", async () => {
  const { url, store } = await freshStore();
  await (await connect(url)).query("create schema reeve_restored");
  expect(await store.status()).not.toHaveProperty("restored");
  await store.markRestored?.(true);
  expect(await store.status()).toMatchObject({ restored: true });
  await store.markRestored?.(false);
  expect(await store.status()).not.toHaveProperty("restored");
});

it("O6 what a statement lacks beside the disk is no reason to take no writes", async () => {
  const store = await failingWith("53200");
  await expect(store.forTenant("t").insert(settings, setting("n", 1))).rejects.toMatchObject({ code: "busy" });
  expect(await store.status()).toMatchObject({ readOnly: false });
});
