import { createPlane } from "@reeve/testkit";
import { expect, it } from "vitest";
import type { Store } from "../../../src/index.js";
import { NEVER } from "../../../src/kernel/operation/dues.js";
import { collections } from "../../../src/reference/index.js";
import { emptyStore } from "../../helpers/stores.js";

const DAY = 86_400_000;
const kept = collections.find(({ name }) => name === "idempotency_keys") as (typeof collections)[number];

/** A store that counts what is asked of it. */
function counted(inner: Store): { store: Store; calls: string[] } {
  const calls: string[] = [];
  const counting = <T extends object>(part: T, name: string): T =>
    new Proxy(part, {
      get(target, property) {
        const value = Reflect.get(target, property, target) as unknown;
        if (property === "forTenant") return (tenantId: string) => counting(inner.forTenant(tenantId), tenantId);
        if (property === "platform" || property === "dues") return counting(value as object, property);
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => {
          calls.push(`${name}.${String(property)}`);
          return Reflect.apply(value, target, given) as unknown;
        };
      },
    });
  return { store: counting(inner, "store"), calls };
}

/** A control plane with this many tenants whose jobs have all run. */
async function quiet(tenants: number) {
  const { store, calls } = counted(await emptyStore());
  const plane = createPlane({ store });
  const ids: string[] = [];
  for (let at = 0; at < tenants; at++)
    ids.push((await plane.controlPlane.ensureTenant({ externalId: `t-${at}`, name: `Tenant ${at}` })).tenantId);
  await plane.controlPlane.tick();
  plane.clock.advance(60_000);
  await plane.controlPlane.tick();
  plane.clock.advance(60_000);
  calls.length = 0;
  return { ...plane, store, calls, ids };
}

/** Stores an idempotency key as the kernel does, but beside it, so that nobody hears of it. */
const storeUnheard = (store: Store, tenantId: string, createdAt: string, expiresAt: string) =>
  store.forTenant(tenantId).insert(kept, {
    id: `key-${createdAt}`,
    version: 1,
    createdAt,
    expiresAt,
    fingerprint: "f",
    status: 200,
    headers: {},
    body: "{}",
  } as never);

it("costs at most five queries when nothing is due, however many tenants there are", async () => {
  for (const tenants of [1, 40]) {
    const { controlPlane, calls } = await quiet(tenants);
    expect(await controlPlane.tick()).toEqual({ done: 0, failed: 0 });
    expect(calls.length, calls.join()).toBeLessThanOrEqual(5);
  }
});

it("runs the jobs of a tenant that has something due, and of no other", async () => {
  const { controlPlane, store, clock, calls, ids } = await quiet(3);
  const [first = "", second = ""] = ids;
  await store.dues.lower([second], new Date(clock.now()).toISOString());
  calls.length = 0;
  await controlPlane.tick();
  expect(calls.filter((call) => call.startsWith(second)).length).toBeGreaterThan(10);
  expect(calls.filter((call) => call.startsWith(first))).toEqual([]);
});

it("runs the jobs of a tenant in one of two processes that tick at once", async () => {
  const { controlPlane, store, clock, calls, ids } = await quiet(1);
  const [tenantId = ""] = ids;
  const other = createPlane({ store, clock }, 1_000_000).controlPlane;
  const readsOf = async (work: () => Promise<unknown>) => {
    clock.advance(60_000);
    await store.dues.lower([tenantId], new Date(clock.now()).toISOString());
    calls.length = 0;
    await work();
    return calls.filter((call) => call.startsWith(tenantId)).length;
  };
  const ofOne = await readsOf(() => controlPlane.tick());
  expect(await readsOf(() => Promise.all([controlPlane.tick(), other.tick()]))).toBe(ofOne);
});

it("leaves a tenant to the process that has claimed it, until that one is silent for too long", async () => {
  const { controlPlane, store, clock, ids } = await quiet(1);
  const [tenantId = ""] = ids;
  const at = new Date(clock.now()).toISOString();
  await storeUnheard(store, tenantId, at, at);
  await store.dues.lower([tenantId], at);
  clock.advance(DAY);
  const now = new Date(clock.now()).toISOString();
  const claim = (await store.dues.claim(tenantId, now, 60_000)) ?? 0;
  const left = async () => (await store.forTenant(tenantId).count(kept)).count;
  await controlPlane.tick();
  expect(await left()).toBe(1);
  // As when its time is over.
  await store.dues.renew(tenantId, claim, 0);
  await controlPlane.tick();
  expect(await left()).toBe(0);
  // The silent process wakes up, and changes nothing.
  await store.transaction(tenantId, (tx) => tx.settleDue(claim, at));
  expect((await store.dues.find(now, 10)).map((due) => due.tenantId)).not.toContain(tenantId);
});

it("finds what was due before there were dues, or under other options", async () => {
  const { store, clock, ids, controlPlane } = await quiet(2);
  const [tenantId = ""] = ids;
  const at = new Date(clock.now()).toISOString();
  await storeUnheard(store, tenantId, at, at);
  const left = async () => (await store.forTenant(tenantId).count(kept)).count;
  clock.advance(3_600_000);
  await controlPlane.tick();
  expect(await left()).toBe(1);
  const upgraded = createPlane({ store, clock, checkpointHours: 7 }, 1_000_000);
  await upgraded.controlPlane.tick();
  expect(await left()).toBe(0);
});

it("heals within a day what the index does not know of", async () => {
  const { store, clock, ids, controlPlane } = await quiet(2);
  const [tenantId = ""] = ids;
  const at = new Date(clock.now()).toISOString();
  await storeUnheard(store, tenantId, at, at);
  const claim = (await store.dues.claim(tenantId, NEVER, 0)) ?? 0;
  await store.transaction(tenantId, (tx) => tx.settleDue(claim, NEVER));
  const left = async () => (await store.forTenant(tenantId).count(kept)).count;
  clock.advance(3_600_000);
  await controlPlane.tick();
  expect(await left()).toBe(1);
  clock.advance(DAY);
  await controlPlane.tick();
  expect(await left()).toBe(0);
});
