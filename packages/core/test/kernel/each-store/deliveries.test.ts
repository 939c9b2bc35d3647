import { expect, it } from "vitest";
import type { EventDocument, Store } from "../../../src/index.js";
import { emptyStore } from "../../helpers/stores.js";
import { createWorld } from "../../helpers/world.js";

const HOUR = 3_600_000;

it("settles many deliveries together, and each that failed for itself", async () => {
  const inner = await emptyStore();
  let transactions = 0;
  const store = new Proxy(inner, {
    get(target, name: keyof Store) {
      if (name === "transaction") transactions += 1;
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const away = async () => Promise.reject(new Error("the other side is away"));
  const heard: string[] = [];
  let answer: (event: EventDocument) => Promise<void> = away;
  const world = await createWorld({ store, onEvent: (event) => answer(event) });
  world.clock.advance(HOUR);
  transactions = 0;
  let failed = "";
  answer = async ({ id }) => {
    failed ||= id;
    if (failed === id) return away();
    heard.push(id);
  };
  await world.controlPlane.tick();
  expect(heard.length).toBeGreaterThan(50);
  expect(transactions).toBeLessThan(heard.length / 2);
  answer = async ({ id }) => void heard.push(id);
  for (let round = 0; round < 10; round += 1) {
    world.clock.advance(HOUR);
    await world.controlPlane.tick();
  }
  expect(heard).toContain(failed);
  expect(new Set(heard).size).toBe(heard.length);
});
