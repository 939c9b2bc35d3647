import type { Store } from "@reeve/core/store";
import { createPlane, thing, things } from "@reeve/testkit";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "./support.js";

/** What the health says of the service, and its checks. */
function healthOf(store: Store) {
  const plane = createPlane({ store });
  return async () => {
    const { status, json } = await plane.send("GET", "/api/v1/monitor/ping");
    return [status, json.checks];
  };
}

const well = { store: "ok", migrations: "ok", writes: "ok", timedWork: "ok" };

it("O6 another process that holds the writer is told apart by the health, while reads go on, and so is its end", async () => {
  const { store, file } = await openStore({ busyTimeoutMs: 300 });
  const tenant = store.forTenant("t");
  await tenant.insert(things, thing(1));
  const health = healthOf(store);
  expect(await health()).toEqual([200, well]);
  const other = new Database(file);
  onTestFinished(() => void other.close());
  other.exec("begin immediate");
  await expect.poll(health).toEqual([503, { ...well, writes: "unavailable" }]);
  // A write that waits has the turn, and its waiting tells nothing else.
  const [refused, during] = await Promise.all([tenant.insert(things, thing(2)).catch((error) => error), health()]);
  expect(refused).toMatchObject({ code: "busy" });
  expect(during).toEqual([503, { ...well, writes: "unavailable" }]);
  expect((await tenant.count(things)).count).toBe(1);
  other.exec("rollback");
  expect(await health()).toEqual([200, well]);
  await tenant.insert(things, thing(2));
  expect(await store.status()).toMatchObject({ readOnly: false });
});

it("O6 a transaction of this process that does not end is told apart by the health, and so is its end", async () => {
  const { store } = await openStore({ busyTimeoutMs: 300 });
  const health = healthOf(store);
  expect(await health()).toEqual([200, well]);
  let end = (): void => undefined;
  const hanging = store.transaction("t", async (tx) => {
    await tx.count(things);
    await new Promise<void>((resolve) => {
      end = resolve;
    });
  });
  await expect.poll(health).toEqual([503, { ...well, writes: "unavailable" }]);
  end();
  await hanging;
  expect(await health()).toEqual([200, well]);
});

it("O6 another process that holds the writer for less than writes wait is no reason to take no writes", async () => {
  const { store, file } = await openStore({ busyTimeoutMs: 60_000 });
  const other = new Database(file);
  onTestFinished(() => void other.close());
  other.exec("begin immediate");
  for (let asked = 0; asked < 3; asked++) expect(await store.status()).toMatchObject({ readOnly: false });
  const written = store.forTenant("t").insert(things, thing(1));
  other.exec("rollback");
  await written;
});

it("O6 a transaction of this process is no reason to take no writes", async () => {
  const { store } = await openStore();
  const readOnly = await store.transaction("t", async (tx) => {
    await tx.count(things);
    return (await store.status()).readOnly;
  });
  expect(readOnly).toBe(false);
});
