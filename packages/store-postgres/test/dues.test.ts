import { createPlane, things } from "@reeve/testkit";
import { expect, it } from "vitest";
import { connect, freshStore, openStore } from "./support.js";
import { openWay } from "./way.js";

it("a claim that waits too long leaves its connection fit for the next, whenever the server ends what failed", async () => {
  const { store, url } = await freshStore();
  await store.dues.lower(["t"], "2026-01-05T09:00:00.000Z");
  const way = await openWay(url);
  const through = openStore(way.url, { poolSize: 1, connectionTimeoutMs: 100, directUrl: url });
  const admin = await connect(url);
  await through.status();
  await admin.query("begin");
  await admin.query("select from reeve.dues for update");
  const claim = () => through.dues.claim("t", "2026-01-06T09:00:00.000Z", 1_000);
  const reads = async () => (await through.forTenant("t").count(things)).count;
  await reads();
  const whole = way.strike();
  await expect(claim()).rejects.toMatchObject({ code: "busy" });
  // The last message is that the server is ready again.
  const message = whole.seen.server - 1;
  expect(await reads()).toBe(0);
  const fault = async () => {
    for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
  };
  const aim = way.strike({ side: "server", message, place: 0, fault });
  await expect(claim()).rejects.toMatchObject({ code: "busy" });
  expect(await reads()).toBe(0);
  expect(aim.hasStruck).toBe(true);
  await admin.query("rollback");
});

it("a tick with nothing due is at most five statements, however many tenants there are", async () => {
  const { url } = await freshStore();
  const way = await openWay(url);
  const { controlPlane, clock } = createPlane({ store: openStore(way.url, { directUrl: url }) });
  const tick = () => {
    clock.advance(60_000);
    return controlPlane.tick();
  };
  for (const tenants of [1, 12]) {
    for (let at = 0; at < tenants; at++)
      await controlPlane.ensureTenant({ externalId: `t-${at}`, name: `Tenant ${at}` });
    await tick();
    await tick();
    const asked = way.strike();
    expect(await tick()).toEqual({ done: 0, failed: 0 });
    expect(asked.statements).toBeGreaterThan(0);
    expect(asked.statements).toBeLessThanOrEqual(5);
  }
});
