import { createPlane } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { dueTimes, NEVER, settleDue } from "#kernel/operation/dues.js";
import { firstDues, isQuiet } from "#kernel/operation/first-dues.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { collections } from "#reference/index.js";
import { yieldToEventLoop } from "#store/event-loop.js";
import type { Store } from "../../../src/index.js";
import { environmentOf } from "../../helpers/environment.js";
import { emptyStore } from "../../helpers/stores.js";
import { createWorld } from "../../helpers/world.js";

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

/** A store that counts how often reads of tenants are asked for while no other one is under way. */
function inRounds(inner: Store): { store: Store; rounds: { count: number } } {
  const rounds = { count: 0 };
  let underWay = 0;
  const reading = (tenantId: string) =>
    new Proxy(inner.forTenant(tenantId), {
      get(target, property) {
        const value = Reflect.get(target, property, target) as unknown;
        if (typeof value !== "function") return value;
        return async (...given: unknown[]) => {
          if (underWay === 0) rounds.count += 1;
          underWay += 1;
          try {
            return await Reflect.apply(value, target, given);
          } finally {
            underWay -= 1;
          }
        };
      },
    });
  return { store: withReaders(inner, reading), rounds };
}

/** A store with other readers of tenants. */
function withReaders(inner: Store, forTenant: Store["forTenant"]): Store {
  return new Proxy(inner, {
    get(target, property) {
      const value = Reflect.get(target, property, target) as unknown;
      if (property === "forTenant") return forTenant;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** A store that counts how many questions of what is due first are under way at once. */
function looking(inner: Store): { store: Store; most: { count: number } } {
  const most = { count: 0 };
  let underWay = 0;
  const reading = (tenantId: string) =>
    new Proxy(inner.forTenant(tenantId), {
      get(target, property) {
        const value = Reflect.get(target, property, target) as unknown;
        if (typeof value !== "function") return value;
        if (property !== "firstTimes") return value.bind(target);
        return async (...given: unknown[]) => {
          underWay += 1;
          most.count = Math.max(most.count, underWay);
          try {
            await yieldToEventLoop();
            return await Reflect.apply(value, target, given);
          } finally {
            underWay -= 1;
          }
        };
      },
    });
  return { store: withReaders(inner, reading), most };
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
  store.forTenant(tenantId).insert(kept, keptKey(createdAt, expiresAt));

const keptKey = (createdAt: string, expiresAt: string) =>
  ({
    id: `key-${createdAt}`,
    version: 1,
    createdAt,
    expiresAt,
    fingerprint: "f",
    status: 200,
    headers: {},
    body: "{}",
  }) as never;

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
  // The first visit of a process reads some of what it keeps afterwards.
  await readsOf(() => other.tick());
  const ofOne = await readsOf(() => controlPlane.tick());
  expect(await readsOf(() => other.tick())).toBe(ofOne);
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

it("looks at two tenants at once at the most, because a look takes a lock of each table that it reads", async () => {
  const { store, most } = looking(await emptyStore());
  const plane = createPlane({ store });
  for (let at = 0; at < 12; at++)
    await plane.controlPlane.ensureTenant({ externalId: `t-${at}`, name: `Tenant ${at}` });
  await plane.controlPlane.tick();
  plane.clock.advance(DAY);
  await plane.controlPlane.tick();
  expect(most.count).toBe(2);
});

it("asks in other tenants while the writes of two hold up what is noted there", async () => {
  const { store } = looking(await emptyStore());
  const plane = createPlane({ store });
  const ids: string[] = [];
  for (let at = 0; at < 4; at++)
    ids.push((await plane.controlPlane.ensureTenant({ externalId: `t-${at}`, name: `Tenant ${at}` })).tenantId);
  await plane.controlPlane.tick();
  plane.clock.advance(DAY);
  const now = new Date(plane.clock.now()).toISOString();
  const env = environmentOf({ store, clock: plane.clock });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const [first = "", second = "", third = ""] = ids;
  const writing = [first, second].map((id) => store.transaction(id, () => held));
  const waiting = [first, second].map((id) => settleDue(env, id, 0, now));
  expect(await dueTimes(env, store.forTenant(third), now)).not.toEqual([]);
  release();
  await Promise.all([...writing, ...waiting]);
});

it("asks together what a tenant has due, so that jobs without work make no reads of their own", async () => {
  const { store, rounds } = inRounds(await emptyStore());
  const { controlPlane, clock } = createPlane({ store });
  const { tenantId } = await controlPlane.ensureTenant({ externalId: "t", name: "Tenant" });
  for (let ticks = 0; ticks < 2; ticks += 1) {
    await controlPlane.tick();
    clock.advance(60_000);
  }
  await store.dues.lower([tenantId], new Date(clock.now()).toISOString());
  rounds.count = 0;
  expect(await controlPlane.tick()).toEqual({ done: 0, failed: 0 });
  // A read for each of the fields by which jobs are due would be more than 60.
  expect(rounds.count).toBeLessThan(20);
});

describe("what is known to be due first", () => {
  const due = { by: "expiresAt", before: NEVER };
  const known = async () => {
    const world = await createWorld();
    const env = environmentOf(world);
    const { tenantId } = world.a;
    const quiet = () => isQuiet(env, tenantId, kept, due);
    const now = new Date(world.clock.now()).toISOString();
    return { world, env, tenantId, now, quiet, firsts: env.use(firstDues) };
  };

  it("is what is stored, and is known of no tenant that was not looked at", async () => {
    const { world, env, tenantId, now, quiet, firsts } = await known();
    expect(quiet()).toBe(false);
    await firsts.look(env, tenantId, now);
    expect(quiet()).toBe(true);
    expect(isQuiet(env, world.b.tenantId, kept, due)).toBe(false);
    const at = "2030-01-01T00:00:00.000Z";
    await storeUnheard(world.store, tenantId, at, at);
    await firsts.look(env, tenantId, now);
    expect(quiet()).toBe(false);
    expect(isQuiet(env, tenantId, kept, { by: "expiresAt", before: at })).toBe(true);
    expect(isQuiet(env, tenantId, kept, { by: "expiresAt", through: at })).toBe(false);
  });

  it("counts what this process stores meanwhile, and is not known when it stores while it is looked for", async () => {
    const { env, tenantId, now, quiet, firsts } = await known();
    const at = "2030-01-01T00:00:00.000Z";
    const insert = (createdAt: string) =>
      systemContext(env, tenantId, "test").write((ctx) => ctx.insert(kept, keptKey(createdAt, at)));
    await firsts.look(env, tenantId, now);
    await insert(at);
    expect(quiet()).toBe(false);
    expect(isQuiet(env, tenantId, kept, { by: "expiresAt", before: at })).toBe(true);
    expect(firsts.nextAfter(tenantId, at)).toBeUndefined();
    firsts.forget(tenantId);
    const looking = firsts.look(env, tenantId, now);
    const storing = insert("2030-01-02T00:00:00.000Z");
    await Promise.all([looking, storing]);
    expect(isQuiet(env, tenantId, kept, { by: "expiresAt", before: at })).toBe(false);
  });

  it("is not known where it cannot be read", async () => {
    const { env, tenantId, now, quiet, firsts } = await known();
    const reader = new Proxy(env.store.forTenant(tenantId), {
      get(target, name) {
        const value = Reflect.get(target, name, target) as unknown;
        if (name === "firstTimes") return () => Promise.reject(new Error("locked"));
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const failing = { ...env, store: { forTenant: () => reader } };
    await firsts.look(Object.setPrototypeOf(failing, Object.getPrototypeOf(env)) as never, tenantId, now);
    expect(quiet()).toBe(false);
  });
});
