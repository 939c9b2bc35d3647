import type { World } from "@reeve/testkit";
import { expect, it, vi } from "vitest";
import type { EventDocument, Store } from "../../../src/index.js";
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

const create = ({ a }: World, name: string) =>
  a.send("POST", "/api/v1/ai-assets", { token: a.owner.token, body: { name } });

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
