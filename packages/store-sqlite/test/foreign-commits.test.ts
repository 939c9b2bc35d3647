import { account, accounts, thing, things } from "@reeve/testkit";
import { expect, it, vi } from "vitest";
import { openStore } from "./support.js";

/** Longer than it takes to hear of a commit, so that what was not heard by then is not told. */
const hears = (told: unknown[], count: number) => vi.waitFor(() => expect(told.length).toBe(count), 20_000);

it("a store hears of each commit of another connection, of its own never, and reads what was committed", async () => {
  const { store, file } = await openStore();
  const { store: other } = await openStore({ file });
  const told: unknown[] = [];
  await store.watch?.((change) => told.push(change));
  await store.forTenant("a").insert(accounts, account(1));
  await store.forTenant("a").insertMany(things, [thing(1), thing(2)]);
  await other.forTenant("a").insert(accounts, account(2));
  await hears(told, 1);
  expect(told).toEqual([undefined]);
  expect(await store.forTenant("a").get(accounts, account(2).id)).toMatchObject({ id: account(2).id });
  await other.forTenant("b").insert(accounts, account(3));
  await hears(told, 2);
});

it("a transaction that is under way when another process commits tells of it once it has ended", async () => {
  const { store, file } = await openStore();
  const { store: other } = await openStore({ file });
  const told: unknown[] = [];
  await store.watch?.((change) => told.push(change));
  const waiting = other.forTenant("a").insert(accounts, account(2));
  await store.transaction("a", async (tx) => {
    await tx.insert(accounts, account(1));
    await tx.count(accounts);
  });
  await waiting;
  await hears(told, 1);
});

it("a closed store hears of no commit, and refuses to watch", async () => {
  const { store, file } = await openStore();
  const { store: other } = await openStore({ file });
  const [before, after]: unknown[][] = [[], []];
  await store.watch?.((change) => before?.push(change));
  await other.watch?.((change) => after?.push(change));
  await store.close();
  await expect(store.watch?.(() => undefined)).rejects.toMatchObject({ code: "closed" });
  const { store: third } = await openStore({ file });
  await third.forTenant("a").insert(accounts, account(1));
  await hears(after as unknown[], 1);
  expect(before).toEqual([]);
});
