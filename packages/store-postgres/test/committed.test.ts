import { thing, things } from "@reeve/testkit";
import { expect, it } from "vitest";
import { freshStore } from "./support.js";

it("K3 reads what another tenant commits during the transaction, and waits for no lock of it", async () => {
  const { store } = await freshStore({ poolSize: 3, connectionTimeoutMs: 1_000 });
  await store.forTenant("other").insert(things, thing(1));
  await store.transaction("t", async (tx) => {
    const theirs = tx.committed("other");
    await store.transaction("other", async (holder) => {
      await holder.count(things);
      await holder.insert(things, thing(2));
      expect((await theirs.count(things)).count).toBe(1);
    });
    expect((await theirs.count(things)).count).toBe(2);
    expect((await tx.count(things)).count).toBe(0);
    await tx.insert(things, thing(3));
  });
  expect((await store.forTenant("t").count(things)).count).toBe(1);
});

it("K3 is read behind the lock of the transaction's own tenant", async () => {
  const { store } = await freshStore({ poolSize: 3 });
  let read: Promise<unknown> = Promise.resolve();
  await store.transaction("t", async (holder) => {
    await holder.count(things);
    read = store.transaction("t", async (tx) => (await tx.committed("other").count(things)).count);
    await store.forTenant("other").insert(things, thing(1));
  });
  expect(await read).toBe(1);
});
