import { thing, things } from "@reeve/testkit";
import { afterEach, expect, it, vi } from "vitest";
import { PipelinedBatch } from "../src/pipelined-batch.js";
import { Session } from "../src/session.js";
import { emptyDatabase, openStore } from "./support.js";

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

it("sends what a tenant asks for at the same time outside of transactions in one round trip, each to its own", async () => {
  const store = await setUp();
  const together = vi.spyOn(Session.prototype, "sendTogether");
  const asked = ["t", "u"].flatMap((tenantId) =>
    [1, 2, 3].map((n) => store.forTenant(tenantId).get(things, thing(n).id)),
  );
  const found = (await Promise.all(asked)).map((row) => row?.id);
  expect(found).toEqual([thing(1).id, thing(2).id, undefined, undefined, undefined, thing(3).id]);
  expect(together).toHaveBeenCalledTimes(2);
});

it("answers the other reads where one fails", async () => {
  const store = await setUp();
  const tenant = store.forTenant("t");
  const lost = { ...things, name: "never_migrated" };
  const asked = [tenant.get(things, thing(1).id), tenant.get(lost, thing(1).id), tenant.count(things)];
  const told = (await Promise.allSettled(asked)).map((one) => (one.status === "rejected" ? one.reason.code : "there"));
  expect(told).toEqual(["there", "schema", "there"]);
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
