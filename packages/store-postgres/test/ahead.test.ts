import type { StoredRecord, StoreError, Transaction } from "@reeve/core/store";
import { event, manyThings, successor, thing, things } from "@reeve/testkit";
import { runSql } from "@reeve/testkit/postgres";
import { expect, it, vi } from "vitest";
import { Session } from "../src/connect/session.js";
import { Chain } from "./chain.js";
import { freshStore } from "./support.js";

const idsOf = (records: readonly StoredRecord[]) => records.map(({ id }) => id).sort();
const MANY = manyThings(2_400);

/** Writes all of them in chunks, as work does that computes in between. */
async function writeMany(tx: Transaction): Promise<void> {
  for (let at = 0; at < MANY.length; at += 100) {
    const some = MANY.slice(at, at + 100);
    await tx.insertMany(things, some);
    await tx.append(...some.map((_, n) => event(at + n)));
  }
}

it("sends much that is held before the commit, in order and in one transaction", async () => {
  const { store } = await freshStore();
  const send = vi.spyOn(Session.prototype, "send");
  await store.transaction("t", async (tx) => {
    await tx.count(things);
    await writeMany(tx);
    expect(send.mock.calls.length).toBeGreaterThan(3);
    expect(await store.forTenant("t").count(things)).toMatchObject({ count: 0 });
    const [first] = MANY;
    if (first) await tx.replace(things, successor(first, { slug: "last" }), first);
  });
  send.mockRestore();
  expect(await store.forTenant("t").count(things)).toMatchObject({ count: MANY.length });
  const rows = await store.forTenant("t").getMany(things, idsOf(MANY.slice(0, 200)));
  expect(rows[0]?.value).toMatchObject({ id: MANY[0]?.id, slug: "last", version: 2 });
  const chain = new Chain();
  await chain.goOn(store.forTenant("t"));
  expect([chain.flaws, chain.places.size]).toEqual([[], MANY.length]);
});

it("has no empty round trips for writes that are made at once", async () => {
  const { store } = await freshStore();
  const send = vi.spyOn(Session.prototype, "send");
  await store.transaction("t", async (tx) => {
    await tx.count(things);
    await Promise.all(MANY.map((one) => tx.insert(things, one)));
  });
  const sent = send.mock.calls.map(([steps]) => steps.length);
  send.mockRestore();
  expect(sent.filter((steps) => steps === 0)).toEqual([]);
  expect(await store.forTenant("t").count(things)).toMatchObject({ count: MANY.length });
});

it("stores nothing when the server refuses what was sent ahead, and says why", async () => {
  const { store } = await freshStore();
  const taken = thing(9_000, { slug: "taken" });
  await store.forTenant("t").insert(things, taken);
  const work = store.transaction("t", async (tx) => {
    await tx.count(things);
    await tx.insert(things, thing(9_001, { slug: "taken" }));
    await writeMany(tx);
  });
  await expect(work).rejects.toMatchObject({ code: "duplicate", message: expect.stringContaining("slug is taken") });
  expect(await store.forTenant("t").count(things)).toMatchObject({ count: 1 });
  await store.forTenant("t").insert(things, thing(9_002));
});

it("stores nothing when the connection is killed after much was sent, and goes on by another", async () => {
  const { store, url } = await freshStore();
  const [before, after] = [MANY.slice(0, 1_200), MANY.slice(1_200)];
  const kill =
    "select pg_terminate_backend(pid) as is from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null and backend_type = 'client backend'";
  const work = store.transaction("t", async (tx) => {
    await tx.count(things);
    await tx.insertMany(things, before);
    expect(await runSql(url, kill)).toEqual([{ is: true }]);
    await tx.insertMany(things, after);
  });
  await expect(work).rejects.toMatchObject({ code: "unavailable" });
  expect(await store.forTenant("t").count(things)).toMatchObject({ count: 0 });
  await store.transaction("t", (tx) => tx.insertMany(things, MANY));
  expect(await store.forTenant("t").count(things)).toMatchObject({ count: MANY.length });
});

it("tells each later step and the commit why it was refused, whatever the work makes of it", async () => {
  const { store } = await freshStore();
  const [first] = MANY;
  if (first) await store.forTenant("t").insert(things, first);
  const heard: unknown[] = [];
  const work = store.transaction("t", async (tx) => {
    await tx.count(things);
    await writeMany(tx).catch((error) => heard.push(error));
    for (const one of await Promise.allSettled([tx.insert(things, thing(9_003)), tx.get(things, "x")]))
      if (one.status === "rejected") heard.push(one.reason);
  });
  await expect(work).rejects.toMatchObject({ code: "duplicate" });
  expect(heard.map((error) => (error as StoreError).code)).toEqual(["duplicate", "duplicate", "duplicate"]);
});
