import { copyWorld, type Scene, type World } from "@reeve/testkit";
import { expect, it, vi } from "vitest";
import { type EventDocument, type Store, silentLogger } from "../../../src/index.js";
import { emptyStore } from "../../helpers/stores.js";
import { createWorld } from "../../helpers/world.js";

const HOUR = 3_600_000;

/** A store that counts transactions, and refuses the next one if told to. */
async function counting() {
  const inner = await emptyStore();
  const seen = { transactions: 0, refuses: false };
  const store = new Proxy(inner, {
    get(target, name: keyof Store) {
      if (name === "transaction") {
        seen.transactions += 1;
        if (seen.refuses) return () => Promise.reject(new Error("the store is away"));
      }
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { store, seen };
}

const create = ({ a }: { readonly a: Scene }, name: string) =>
  a.send("POST", "/api/v1/ai-assets", { token: a.owner.token, body: { name } });

/** A store that stays open for another control plane, and counts the tenants that ticks take. */
function lasting(inner: Store) {
  const seen = { claims: 0, closed: false };
  const dues = new Proxy(inner.dues, {
    get(target, name: keyof Store["dues"]) {
      if (name === "claim") seen.claims += 1;
      return target[name].bind(target);
    },
  });
  const close = async () => {
    seen.closed = true;
  };
  const replaced: Partial<Store> = { dues, close };
  const store = new Proxy(inner, {
    get(target, name: keyof Store) {
      const value = replaced[name] ?? target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { store, seen };
}

it("K21 removes what was delivered in batches, though each event came with a commit of its own", async () => {
  const { store, seen } = await counting();
  const heard: string[] = [];
  const world = await createWorld({ store, onEvent: ({ id }) => void heard.push(id) });
  await world.controlPlane.tick();
  const [before, events] = [heard.length, 40];
  seen.transactions = 0;
  for (let n = 0; n < events; n += 1) {
    await create(world, `asset ${n}`);
    await vi.waitFor(() => expect(heard.length - before).toBe(n + 1), { interval: 1, timeout: 10_000 });
  }
  // One transaction for each create, and in place of one for each delivery a few for all.
  expect(seen.transactions - events).toBeLessThan(events / 2);
  world.clock.advance(HOUR);
  await world.controlPlane.tick();
  expect(heard.length).toBe(new Set(heard).size);
});

it("K21 delivers again what could not be removed, and loses nothing", async () => {
  const { store, seen } = await counting();
  const heard: string[] = [];
  const world = await createWorld({ store, onEvent: ({ id }) => void heard.push(id) });
  await world.controlPlane.tick();
  const before = heard.length;
  await create(world, "asset");
  seen.refuses = true;
  await vi.waitFor(() => expect(heard.length - before).toBe(1));
  // A control plane that is closed or killed now has delivered the event and not removed it.
  await world.controlPlane.tick().catch(() => undefined);
  seen.refuses = false;
  world.clock.advance(HOUR);
  await world.controlPlane.tick();
  await world.controlPlane.tick();
  const given = heard.slice(before);
  // Each removal that is refused on the way, by a timer or by a tick, makes one more.
  expect(given.filter((id) => id === given[0]).length).toBeGreaterThanOrEqual(2);
  world.clock.advance(HOUR);
  await world.controlPlane.tick();
  expect(heard.slice(before)).toEqual(given);
});

it("settles many deliveries together, and each that failed for itself", async () => {
  const { store, seen } = await counting();
  const away = async () => Promise.reject(new Error("the other side is away"));
  const heard: string[] = [];
  let answer: (event: EventDocument) => Promise<void> = away;
  const world = await createWorld({ store, onEvent: (event) => answer(event) });
  world.clock.advance(HOUR);
  seen.transactions = 0;
  let failed = "";
  answer = async ({ id }) => {
    failed ||= id;
    if (failed === id) return away();
    heard.push(id);
  };
  await world.controlPlane.tick();
  expect(heard.length).toBeGreaterThan(50);
  expect(seen.transactions).toBeLessThan(heard.length / 2);
  answer = async ({ id }) => void heard.push(id);
  for (let round = 0; round < 10; round += 1) {
    world.clock.advance(HOUR);
    await world.controlPlane.tick();
  }
  expect(heard).toContain(failed);
  expect(new Set(heard).size).toBe(heard.length);
});

it("ends with the delivery under way when the control plane closes, and gives none twice after the next start", async () => {
  const { store } = await counting();
  // Another control plane on the same store comes after it.
  const kept = new Proxy(store, {
    get: (target, name: keyof Store) => (name === "close" ? async () => undefined : target[name]),
  });
  const heard: string[] = [];
  let go: () => void = () => undefined;
  let wait = Promise.resolve();
  const onEvent = async ({ id }: EventDocument) => {
    heard.push(id);
    await wait;
  };
  const world = await createWorld({ store: kept, onEvent });
  await world.controlPlane.tick();
  const before = heard.length;
  wait = new Promise((resolve) => {
    go = resolve;
  });
  for (let n = 0; n < 5; n += 1) await create(world, `asset ${n}`);
  await vi.waitFor(() => expect(heard.length - before).toBe(1));
  const closing = world.controlPlane.close();
  let isClosed = false;
  void closing.then(() => {
    isClosed = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(false);
  go();
  await closing;
  expect(heard.length - before).toBe(1);
  const again = copyWorld(world, { store: kept, onEvent });
  again.clock.advance(HOUR);
  await again.controlPlane.tick();
  expect(heard.length - before).toBeGreaterThanOrEqual(5);
  expect(new Set(heard).size).toBe(heard.length);
});

it.each([
  ["of the host's own", async ({ controlPlane }: World) => controlPlane.tick()],
  ["of the timer", ({ controlPlane }: World) => new Promise<unknown>((resolve) => controlPlane.start(resolve))],
])("begins no delivery and no tenant of a tick %s once it closes, and the next process goes on", async (_, begin) => {
  const { store, seen } = lasting(await emptyStore());
  const heard: string[] = [];
  let go: () => void = () => undefined;
  let wait = Promise.resolve();
  const onEvent = async ({ id }: EventDocument) => {
    expect(seen.closed).toBe(false);
    heard.push(id);
    await wait;
  };
  const world = await createWorld({ store, onEvent, tickSeconds: 1, tickConcurrency: 1 });
  await world.controlPlane.tick();
  const before = heard.length;
  wait = new Promise((resolve) => {
    go = resolve;
  });
  for (const scene of [world.a, world.b]) for (let n = 0; n < 5; n += 1) await create({ a: scene }, `asset ${n}`);
  await vi.waitFor(() => expect(heard.length - before).toBe(2));
  const claims = seen.claims;
  const ticking = begin(world);
  await vi.waitFor(() => expect(seen.claims).toBeGreaterThan(claims), 10_000);
  const begun = [heard.length, seen.claims];
  const closing = world.controlPlane.close();
  go();
  await closing;
  expect(seen.closed).toBe(true);
  expect(await ticking).toMatchObject({ failed: 0 });
  expect([heard.length, seen.claims]).toEqual(begun);
  await expect(world.controlPlane.tick()).rejects.toMatchObject({ code: "shutting_down" });
  seen.closed = false;
  const again = copyWorld(world, { store, onEvent });
  await again.controlPlane.tick();
  expect(heard.length - before).toBeGreaterThanOrEqual(10);
  expect(new Set(heard).size).toBe(heard.length);
});

it("goes on with the rest when one of a batch fails, without waiting for a tick", async () => {
  const { store } = await counting();
  const heard: string[] = [];
  const logged: string[] = [];
  let failing: string | undefined;
  let fails = false;
  const world = await createWorld({
    store,
    logger: { ...silentLogger, warn: (fields) => void logged.push(JSON.stringify(fields)) },
    onEvent: ({ id }) => {
      if (fails) failing ??= id;
      if (id === failing) throw new Error("amqp://reeve:hunter2@queue is away");
      heard.push(id);
    },
  });
  await world.controlPlane.tick();
  const before = heard.length;
  fails = true;
  const items = Array.from({ length: 250 }, (_, n) => ({
    name: `asset ${n}`,
    assetType: "model",
    externalRef: { source: "cmdb", id: `${n}` },
  }));
  const { token } = world.a.owner;
  expect((await world.a.send("POST", "/api/v1/ai-assets/import", { token, body: { items } })).status).toBe(200);
  await vi.waitFor(() => expect(heard.length - before).toBeGreaterThan(300));
  expect(logged.join()).toContain("is away");
  expect(logged.join()).not.toContain("hunter2");
});
