import { expect, it, onTestFinished, vi } from "vitest";
import { collections } from "#reference/index.js";
import { createWorld } from "../helpers/world.js";

const progress = collections.find(({ name }) => name === "notice_progress") as (typeof collections)[number];
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it.each([
  ["once a run has ended", true],
  ["while one is under way", false],
])("notes how far notices are once for what is committed shortly after each other, %s", async (_when, isOver) => {
  const { a, controlPlane, store } = await createWorld({ notices: true });
  await controlPlane.tick();
  const noted = async () => (await store.forTenant(a.tenantId).get(progress, a.tenantId))?.value.version ?? 0;
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const settled = async () => {
    for (let turns = 0; turns < 50; turns++) await turn();
  };
  const before = await noted();
  for (let count = 0; count < 6; count++) {
    await a.newAsset({ name: `${a.unique()}-busy` });
    if (isOver) await settled();
  }
  await settled();
  expect(await noted()).toBe(before + 1);
  await vi.advanceTimersByTimeAsync(1_000);
  await settled();
  expect(await noted()).toBe(before + 2);
});
