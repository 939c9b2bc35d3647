import type { UsageEvent } from "@reeve/core/connectors";
import { type Actor, ScriptedAccess, ScriptedConnector, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { endUnused } from "#families/access-drift/usage/end-unused.js";
import { ulidSource } from "#ports/ids.js";
import { accessBench, type Bench } from "../../helpers/access.js";
import { environmentOf } from "../../helpers/environment.js";
import { eventsOf } from "../../helpers/facts.js";
import { requestBench } from "../../helpers/requests.js";
import { createWorld } from "../../helpers/world.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let access: ScriptedAccess;
let world: World;
beforeEach(async () => {
  access = new ScriptedAccess({ granularity: "profile" });
  const connectors = [new ScriptedConnector().connector, access.connector];
  world = { ...(await createWorld({ tokenLifetime: 86_400, connectors })), access };
});

/** Lets time pass in steps, as a host that ticks does, and signs the owner in again. */
async function pass(total: number, step = total): Promise<void> {
  for (let passed = 0; passed < total; passed += step) {
    world.clock.advance(step);
    await world.controlPlane.tick();
  }
  Object.assign(world.a.owner, await world.a.signIn(world.a.owner.userId, world.a.owner));
  world.a.actors.owner = world.a.owner as Actor;
}
const send = (method: string, path: string, body?: object) =>
  world.send(method, `/api/v1${path}`, { token: world.a.owner.token, ...(body ? { body } : {}) });
const ok = async (method: string, path: string, body?: object) => {
  const answer = await send(method, path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
/** What is told of an assignment by events of one type. */
const reported = async (id: string, type: string): Promise<string[]> =>
  (await eventsOf(world.a))
    .filter(({ attributes }) => attributes.includes(type) && attributes.includes(id))
    .map(({ data }) => data ?? "{}");

describe("a notice that access ends", () => {
  const TYPE = "access.assignment.expiring";
  const leftOf = async (id: string) => (await reported(id, TYPE)).map((one) => JSON.parse(one).left);

  it("is given a week, a day and an hour before, once each", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide({ duration: "P10D" });
    await pass(0, 1);
    await world.controlPlane.tick();
    await pass(3 * DAY - MINUTE);
    expect(await leftOf(id)).toEqual([]);
    await pass(2 * MINUTE);
    expect(await leftOf(id)).toEqual(["P7D"]);
    await pass(6 * DAY, DAY);
    expect(await leftOf(id)).toEqual(["P7D", "P1D"]);
    await pass(23 * HOUR, HOUR);
    expect(await leftOf(id)).toEqual(["P7D", "P1D", "PT1H"]);
    expect(await bench.read(id)).toMatchObject({ status: "active", noticed: { left: "PT1H" } });
  });

  it("that is as long as the access is not given, and one of several that are due is", async () => {
    const [short, late] = [await accessBench(world), await accessBench(world)];
    const ofDay = await short.decide({ duration: "P1D" });
    const ofMonth = await late.decide({ duration: "P30D" });
    await world.controlPlane.tick();
    await pass(23 * HOUR + MINUTE);
    expect(await leftOf(ofDay)).toEqual(["PT1H"]);
    await pass(28 * DAY + 2 * HOUR);
    expect(await leftOf(ofMonth)).toEqual(["P1D"]);
  });

  it("is given again for another end, and for no access that is over or has no end", async () => {
    const bench = await accessBench(world);
    const [id, permanent] = [
      await bench.decide({ duration: "P10D" }),
      await bench.decide({ duration: null, isPermanent: true, parameters: { of: "ever" } }),
    ];
    await world.controlPlane.tick();
    await pass(3 * DAY + MINUTE);
    expect(await leftOf(id)).toEqual(["P7D"]);
    const modified = await bench.act(id, "modify", { reason: "It takes less time.", duration: "P2D" });
    expect(modified.status, modified.text).toBe(200);
    await pass(DAY + MINUTE);
    expect(await leftOf(id)).toEqual(["P7D", "P1D"]);
    await bench.act(id, "revoke", { reason: "It is not needed." });
    await pass(DAY - 2 * MINUTE);
    expect([await leftOf(id), await leftOf(permanent)]).toEqual([["P7D", "P1D"], []]);
  });
});

describe("access that is not used", () => {
  const NOTICED = "access.assignment.unused_noticed";
  const set = (unusedAccess: object | null) => ok("PATCH", "/tenant/settings", { unusedAccess });
  const now = () => new Date(world.clock.now()).toISOString();
  let uses = 0;

  async function useOf({ assetId }: Bench): Promise<UsageEvent> {
    const { items } = await ok("GET", `/ai-assets/${assetId}/access-identities`);
    const { type, externalId } = items[0].principal;
    uses += 1;
    const resource = { type: "repository", externalId: "repo" };
    const at = new Date(world.clock.now());
    return { externalEventId: `use ${uses}`, at, principal: { type, externalId }, resource, action: "clone" };
  }

  it("has notice of two weeks where the tenant wants that, and ends then", async () => {
    await set({ days: 30, from: now() });
    const bench = await accessBench(world);
    const id = await bench.decide({ duration: "P90D" });
    await pass(29 * DAY, DAY / 2);
    expect(await reported(id, NOTICED)).toEqual([]);
    await pass(2 * DAY, DAY / 2);
    expect(await reported(id, NOTICED)).toHaveLength(1);
    const noticed = await bench.read(id);
    expect(noticed).toMatchObject({ status: "active", unusedNotice: { days: 30, endsAt: noticed.expiresAt } });
    await pass(13 * DAY, DAY / 2);
    expect(await bench.read(id)).toMatchObject({ status: "active" });
    await pass(2 * DAY, DAY / 2);
    expect(await bench.read(id)).toMatchObject({ status: "revoked", endReason: "unused" });
    expect(bench.account.held.size).toBe(0);
    await set(null);
  });

  it("lasts as long as before when it is used, or when the tenant wants it no more", async () => {
    await set({ days: 30, from: now() });
    const [used, idle] = [await accessBench(world), await accessBench(world)];
    const [first, second] = [
      await used.decide({ duration: "P90D" }),
      await idle.decide({ duration: null, isPermanent: true }),
    ];
    await world.controlPlane.tick();
    const before = await used.read(first);
    await pass(31 * DAY, DAY / 2);
    expect(await used.read(first)).toMatchObject({ unusedNotice: { expiresAt: before.expiresAt } });
    expect(await idle.read(second)).toMatchObject({ isPermanent: false, unusedNotice: { isPermanent: true } });
    used.account.uses.push(await useOf(used));
    await pass(2 * DAY, DAY / 4);
    expect(await used.read(first)).toMatchObject({ expiresAt: before.expiresAt, unusedNotice: null });
    expect((await idle.read(second)).unusedNotice).not.toBeNull();
    await set(null);
    await pass(0, 1);
    await world.controlPlane.tick();
    expect(await idle.read(second)).toMatchObject({ isPermanent: true, expiresAt: null, unusedNotice: null });
  });

  it("is left alone where it was dormant before, where nobody sees its use, and at first where nobody wants it", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide({ duration: "P90D" });
    await pass(40 * DAY, DAY);
    expect(await reported(id, NOTICED)).toEqual([]);
    await set({ days: 30, from: now() });
    await pass(10 * DAY, DAY);
    expect([(await bench.read(id)).unusedNotice, await reported(id, NOTICED)]).toEqual([null, []]);
    await set(null);
  });

  it("is told only to a plausible part at once", async () => {
    await set({ days: 30, from: now() });
    const bench = await accessBench(world);
    for (let at = 0; at < 12; at += 1) await bench.decide({ duration: "P90D", parameters: { at } });
    await world.controlPlane.tick();
    const noticed = async () => {
      const { items } = await ok("GET", `/ai-assets/${bench.assetId}/access-assignments?size=100`);
      return items.filter((one: { unusedNotice: unknown }) => one.unusedNotice !== null).length;
    };
    await pass(30 * DAY, DAY);
    await pass(MINUTE);
    expect(await noticed()).toBe(10);
    await pass(MINUTE);
    expect(await noticed()).toBe(10);
    await pass(HOUR);
    expect(await noticed()).toBe(12);
    await set(null);
  });

  it("is looked at page by page, and none for good by what stands before it", async () => {
    const from = now();
    const bench = await accessBench(world);
    for (let at = 0; at < 3; at += 1) await bench.decide({ duration: "P90D", parameters: { at } });
    await world.controlPlane.tick();
    await pass(31 * DAY, DAY);
    await pass(MINUTE);
    await set({ days: 30, from });
    const { connector } = access;
    const connectors = new Map([[connector.manifest.providerKey, connector]]);
    const env = environmentOf(world, { connectors, ids: ulidSource() });
    const inPages = async () => {
      for (let runs = 0; runs < 60; runs += 1) await endUnused(env, world.a.tenantId, 1);
    };
    await inPages();
    const ofBench = async () => (await ok("GET", `/ai-assets/${bench.assetId}/access-assignments?size=100`)).items;
    expect((await ofBench()).map((it: { unusedNotice: unknown }) => it.unusedNotice !== null)).toEqual([
      true,
      true,
      true,
    ]);
    await set(null);
    await inPages();
    expect((await ofBench()).map((it: { unusedNotice: unknown }) => it.unusedNotice)).toEqual([null, null, null]);
  });

  it("is a setting with bounds, and for those who change settings", async () => {
    const patch = (unusedAccess: object, token = world.a.owner.token) =>
      world.send("PATCH", "/api/v1/tenant/settings", { token, body: { unusedAccess } });
    expect((await patch({ days: 3, from: now() })).status).toBe(400);
    expect((await patch({ days: 30 })).status).toBe(400);
    const operator = await world.a.newUser(["operator"]);
    expect((await patch({ days: 30, from: now() }, operator.token)).status).toBe(403);
    expect((await ok("GET", "/tenant/settings")).unusedAccess).toBeNull();
  });
});

describe("the dashboard of requests", () => {
  it("counts those that wait, and tells how long people waited", async () => {
    const figures = async () => {
      const { requests } = await ok("GET", "/access-lifecycle/dashboard");
      return new Map<string, number>(requests.map((one: { key: string; value: number }) => [one.key, one.value]));
    };
    const before = await figures();
    const bench = await requestBench(world);
    const { id } = await bench.asked("pending_approval");
    expect((await figures()).get("waiting")).toBe((before.get("waiting") ?? 0) + 1);
    await bench.pass(2 * DAY);
    Object.assign(world.a.owner, world.a.actors.owner);
    expect((await figures()).get("waiting_for_a_day")).toBe((before.get("waiting_for_a_day") ?? 0) + 1);
    expect((await figures()).get("waiting_for_a_week")).toBe(before.get("waiting_for_a_week"));
    expect((await bench.approve(id)).status).toBe(200);
    await bench.tick(30 * MINUTE);
    const after = await figures();
    expect(after.get("waiting")).toBe(before.get("waiting"));
    expect([after.get("minutes_to_approval_p50"), after.get("minutes_to_access_p95")]).toEqual([2_880, 2_910]);
    const { requests } = await ok("GET", "/access-lifecycle/dashboard");
    for (const { key, url, value } of requests.filter((one: { key: string }) => one.key === "waiting"))
      expect([key, (await ok("GET", url.replace("/api/v1", ""))).totalItems]).toEqual([key, value]);
  });
});
