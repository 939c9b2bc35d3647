import type { World } from "@reeve/testkit";
import { beforeAll, expect, it } from "vitest";
import { requestBench } from "../helpers/requests.js";
import { createWorld } from "../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const AT_ONCE = 20;

it("ends each request of an asset that is removed, however many grants they ask for", async () => {
  const bench = await requestBench(world);
  const { accessProfileId, resourceId } = bench;
  const ids: string[] = [];
  for (let at = 0; at < 26; at += 1) {
    const items = Array.from({ length: AT_ONCE }, (_, n) => ({
      ...{ accessProfileId, resourceId, parameters: { one: at * AT_ONCE + n } },
    }));
    ids.push((await bench.asked("pending_approval", { items })).id);
  }
  const path = `/api/v1/ai-assets/${bench.assetId}`;
  const removed = await world.send("DELETE", path, { token: world.a.owner.token, headers: { "if-match": "*" } });
  expect(removed.status, removed.text).toBe(204);
  const states = await Promise.all(ids.map(async (id) => (await bench.request(id)).status));
  expect(new Set(states)).toEqual(new Set(["cancelled"]));
});
