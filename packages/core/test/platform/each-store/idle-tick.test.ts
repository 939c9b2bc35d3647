import { expect, it } from "vitest";
import { countedReads } from "../../helpers/counted-reads.js";
import { emptyStore } from "../../helpers/stores.js";
import { createWorld } from "../../helpers/world.js";

const DAY = 86_400_000;

it("O9 a tick asks nothing of tenants with nothing due, and something of one that has", async () => {
  const { store, asked } = countedReads(await emptyStore());
  const world = await createWorld({ store });
  const tenantIds = [world.a.tenantId, world.b.tenantId];
  const askedInTick = async () => {
    asked.length = 0;
    await world.controlPlane.tick();
    return new Set(asked.map(([tenantId]) => tenantId).filter((tenantId) => tenantIds.includes(tenantId)));
  };
  await askedInTick();
  await askedInTick();
  expect(await askedInTick()).toEqual(new Set());
  await world.a.newPolicy("posture", { status: "observe" });
  expect(await askedInTick()).toEqual(new Set([world.a.tenantId]));
  world.clock.advance(DAY);
  expect(await askedInTick()).toEqual(new Set(tenantIds));
});
