import type { Writer } from "@reeve/core/store";
import { settings, thing, things } from "@reeve/testkit";
import { afterEach, expect, it, vi } from "vitest";
import { PipelinedBatch } from "../src/connect/pipelined-batch.js";
import { Session } from "../src/connect/session.js";
import { connect, emptyDatabase, openStore } from "./support.js";

afterEach(() => {
  vi.restoreAllMocks();
});

async function setUp() {
  const store = openStore(await emptyDatabase());
  await store.migrate();
  await store.forTenant("t").insertMany(things, [thing(1), thing(2)]);
  await store.forTenant("u").insert(things, thing(3));
  return store;
}

it("sends what a transaction asks for at the same time in one round trip", async () => {
  const store = await setUp();
  const batches = vi.spyOn(PipelinedBatch.prototype, "submit");
  const found = await store.transaction("t", async (tx) => {
    const rows = await Promise.all([1, 2, 9].map((number) => tx.get(things, thing(number).id)));
    expect(batches).toHaveBeenCalledTimes(1);
    return rows.map((row) => row?.id);
  });
  expect(found).toEqual([thing(1).id, thing(2).id, undefined]);
});

it("sends what a reader asks for at the same time outside of transactions in one round trip, each to its own", async () => {
  const store = await setUp();
  const send = vi.spyOn(Session.prototype, "read");
  const readers = ["t", "u"].map((tenantId) => store.forTenant(tenantId));
  const asked = readers.flatMap((reader) => [1, 2, 3].map((n) => reader.get(things, thing(n).id)));
  const found = (await Promise.all(asked)).map((row) => row?.id);
  expect(found).toEqual([thing(1).id, thing(2).id, undefined, undefined, undefined, thing(3).id]);
  expect(send).toHaveBeenCalledTimes(2);
});

it("keeps no reader waiting for what another one waits for, nor refuses it for what that lacks", async () => {
  const url = await emptyDatabase();
  const store = openStore(url, { poolSize: 3, connectionTimeoutMs: 20_000 });
  await store.migrate();
  const [first, second, third] = [1, 2, 3].map(() => store.forTenant("t")) as [Writer, Writer, Writer];
  await first.insert(things, thing(1));
  const admin = await connect(url);
  await admin.query("begin; lock table reeve.contract_settings in access exclusive mode");
  const lost = { ...things, name: "never_migrated" };
  const lacking = Promise.allSettled([second.get(things, thing(1).id), second.get(lost, thing(1).id)]);
  const waiting = Promise.all([first.get(settings, "n"), first.get(things, thing(1).id)]);
  expect((await third.get(things, thing(1).id))?.id).toBe(thing(1).id);
  for (const one of await lacking) expect(one).toMatchObject({ status: "rejected", reason: { code: "schema" } });
  await admin.query("rollback");
  expect((await waiting).map((row) => row?.id)).toEqual([undefined, thing(1).id]);
});

it("waits for each of several reads as long as for one", async () => {
  const url = await emptyDatabase();
  const store = openStore(url, { poolSize: 1, connectionTimeoutMs: 20_000, answerTimeoutMs: 1_500 });
  await store.migrate();
  const tenant = store.forTenant("t");
  const admin = await connect(url);
  await tenant.count(things);
  const free = async (table: string) => {
    await expect
      .poll(async () => (await admin.query("select from pg_locks where not granted")).rowCount)
      .toBeGreaterThan(0);
    await admin.query("select pg_sleep(0.8)");
    return admin.query(`rollback to ${table}`);
  };
  await admin.query(
    "begin; savepoint settings; lock table reeve.contract_settings; savepoint things; lock table reeve.contract_things",
  );
  const reads = Promise.all([tenant.get(things, thing(1).id), tenant.get(settings, "n"), tenant.get(things, "x")]);
  for (const table of ["things", "settings"]) await free(table);
  expect(await reads).toEqual([undefined, undefined, undefined]);
  await admin.query("rollback");
});

it("shows such reads what was written before them", async () => {
  const store = await setUp();
  const seen = await store.transaction("t", async (tx) => {
    await tx.insert(things, thing(4));
    const [row, total] = await Promise.all([tx.get(things, thing(4).id), tx.count(things)]);
    return [row?.id, total.count];
  });
  expect(seen).toEqual([thing(4).id, 3]);
});

it("gives each tenant its own, whoever asks at the same time", async () => {
  const store = await setUp();
  const seen = await store.transaction("t", async (tx) => {
    const other = tx.as("u");
    const asked = [tx, other, tx, other].flatMap((side) => [1, 3].map((number) => side.get(things, thing(number).id)));
    return (await Promise.all(asked)).map((row) => row?.id);
  });
  const [mine, theirs] = [thing(1).id, thing(3).id];
  expect(seen).toEqual([mine, undefined, undefined, theirs, mine, undefined, undefined, theirs]);
});

it("refuses all of them when one cannot be done, and stores nothing", async () => {
  const store = await setUp();
  const failed: unknown[] = [];
  const broken = store.transaction("t", async (tx) => {
    await tx.insert(things, thing(1));
    const asked = [tx.get(things, thing(2).id), tx.count(things)];
    for (const one of await Promise.allSettled(asked)) failed.push(one.status);
  });
  await expect(broken).rejects.toMatchObject({ code: "aborted" });
  expect(failed).toEqual(["rejected", "rejected"]);
  expect((await store.forTenant("t").count(things)).count).toBe(2);
});
