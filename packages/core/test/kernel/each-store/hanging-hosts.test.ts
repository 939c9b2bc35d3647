import { newActiveInstance, type World } from "@reeve/testkit";
import { describe, expect, it, vi } from "vitest";
import { collections } from "#reference/index.js";
import { createWorld } from "../../helpers/world.js";

const DAY = 86_400_000;
const kept = collections.find(({ name }) => name === "idempotency_keys") as (typeof collections)[number];

type Side = World["a"];

/** Answers that never come, unless the test gives them. */
class Hanging {
  readonly #answers: (() => void)[] = [];
  readonly hang = () => new Promise<void>((resolve) => void this.#answers.push(resolve));

  get count(): number {
    return this.#answers.length;
  }

  end(): void {
    for (const answer of this.#answers.splice(0)) answer();
  }
}

/** What hangs for one tenant only: options of the world, and what makes it happen on the next tick. */
interface Case {
  readonly config: (hanging: Hanging, ill: () => string) => Parameters<typeof createWorld>[0];
  readonly arrange?: (side: Side, world: World, hanging: Hanging) => Promise<unknown>;
}

const CASES: Record<string, Case> = {
  "a delivery": {
    config: ({ hang }) => ({
      onEvent: (event) => (JSON.stringify(event).includes("The one that hangs") ? hang() : undefined),
    }),
    arrange: ({ send, owner }) =>
      send("POST", "/api/v1/ai-assets", { token: owner.token, body: { name: "The one that hangs" } }),
  },
  "an anchor": {
    config: ({ hang }, ill) => ({ anchor: ({ chainid }) => (chainid === ill() ? hang() : undefined) }),
  },
  "a connection": {
    config: () => ({}),
    async arrange(side, world, { hang }) {
      const account = side.unique();
      await newActiveInstance(side, { name: account, configuration: { account } });
      world.scripted.script(account, hang);
    },
  },
};

/** A world in which a key of either tenant is to be deleted, and something hangs for one of them. */
async function arranged(name: string, illOne: "a" | "b", options: Parameters<typeof createWorld>[0] = {}) {
  const hanging = new Hanging();
  const { config, arrange } = CASES[name] as Case;
  let ill = "";
  const world = await createWorld({ ...config(hanging, () => ill), ...options });
  ill = world[illOne].tenantId;
  for (const { send, owner } of [world.a, world.b])
    await send("POST", "/api/v1/ai-assets", {
      token: owner.token,
      body: { name: "Another" },
      headers: { "idempotency-key": "once" },
    });
  await arrange?.(world[illOne], world, hanging);
  world.clock.advance(2 * DAY);
  const left = async (side: Side) => (await side.store.forTenant(side.tenantId).count(kept)).count;
  expect([await left(world.a), await left(world.b)]).toEqual([1, 1]);
  return { world, hanging, left };
}

describe.each(Object.keys(CASES))("%s that hangs", (name) => {
  it.each(["a", "b"] as const)("for tenant %s does not hold up the other", async (illOne) => {
    const { world, hanging, left } = await arranged(name, illOne);
    const well = illOne === "a" ? world.b : world.a;
    const ticking = world.controlPlane.tick();
    await vi.waitFor(async () => expect([await left(well), hanging.count > 0]).toEqual([0, true]), 30_000);
    hanging.end();
    expect(await ticking).toMatchObject({ failed: 0 });
  });
});

it.each(["a delivery", "an anchor"])("does not wait for ever for %s", async (name) => {
  const { world, hanging, left } = await arranged(name, "a", { hostCallTimeoutMs: 100 });
  expect(await world.controlPlane.tick()).toMatchObject({ failed: 0 });
  expect([await left(world.a), await left(world.b), hanging.count > 0]).toEqual([0, 0, true]);
});
