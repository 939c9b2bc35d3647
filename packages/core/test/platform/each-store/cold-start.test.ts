import { createPlane } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

/** More than the connections of a store in these tests. */
const BURST = 24;

describe("a burst of writes that look at kill switches", () => {
  it("is served at a cold start, and when what is known has grown old", async () => {
    const { a, store, ids } = await createWorld();
    const agentId = await a.newAsset({ assetType: "agent" });
    // Another process on the same store, with empty caches.
    const cold = createPlane({ store, ids });
    const burst = async () => {
      const starts = Array.from({ length: BURST }, () =>
        cold.send("POST", "/api/v1/ai/sessions", { token: a.owner.token, body: { agentId } }),
      );
      return (await Promise.all(starts)).map(({ status }) => status);
    };
    expect(await burst()).toEqual(Array(BURST).fill(201));
    cold.clock.advance(60_000);
    expect(await burst()).toEqual(Array(BURST).fill(201));
  });
});
