import { expect, it } from "vitest";
import { Settlements } from "./settlements.js";

const attempt = (n: number) => ({ id: `obx_${n}` });

it("K21 settles a hundred attempts at a time, and what is left when it closes", async () => {
  const sizes: number[] = [];
  const settlements = new Settlements({
    settle: async (_tenantId, attempts) => void sizes.push(attempts.length),
    failed: () => undefined,
  });
  for (let n = 0; n < 250; n += 1) await settlements.add("t", attempt(n));
  expect(sizes).toEqual([100, 100]);
  expect([...settlements.ids("t")]).toHaveLength(50);
  await settlements.close();
  expect(sizes).toEqual([100, 100, 50]);
  expect([...settlements.ids("t")]).toEqual([]);
});

it("K21 forgets what could not be stored, so that it is delivered again", async () => {
  const settlements = new Settlements({ settle: () => Promise.reject(new Error("away")), failed: () => undefined });
  await settlements.add("t", attempt(1));
  expect([...settlements.ids("t")]).toEqual(["obx_1"]);
  await expect(settlements.now("t")).rejects.toThrow("away");
  expect([...settlements.ids("t")]).toEqual([]);
});
