import { sampleOf, sendSample, table, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { EventDocument } from "#kernel/config/options.js";
import type { Collection } from "#kernel/records/collection.js";
import { collections } from "#reference/index.js";
import { eventsOf, isProviders } from "../helpers/facts.js";
import { createWorld } from "../helpers/world.js";

const HOUR = 3_600_000;

describe("onEvent", () => {
  const outbox = collections.find(({ name }) => name === "outbox") as Collection;
  /** Resolves when no delivery is due: those after a commit have arrived or wait for a retry. */
  const settled = ({ a, b, store, clock }: World) =>
    vi.waitFor(async () => {
      for (const { tenantId } of [a, b]) {
        const before = new Date(clock.now() + 1).toISOString();
        const order = { by: "nextAttemptAt", direction: "asc" } as const;
        const due = { where: { state: "due" }, order, range: { before }, size: 1 };
        expect((await store.forTenant(tenantId).find(outbox, due)).rows).toEqual([]);
      }
    });

  describe("of a host that hears every event", () => {
    const given = new Set<string>();
    let world: World;
    beforeAll(async () => {
      world = await createWorld({ onEvent: (event: EventDocument) => void given.add(event.id) });
    });

    const bearers = table.filter(({ access }) => access !== "public");
    it.each(bearers.map((operation) => [operation.id, operation] as const))("%s is sent", async (_id, operation) => {
      const params = (await sampleOf(operation).arrange?.(world.a)) ?? {};
      const caller = isProviders(operation) ? world.provider.owner : await world.a.newUser(["owner"]);
      await sendSample(world.a, operation, caller, { params });
    });

    it("is given every committed event, and none of a transaction that was rolled back", async () => {
      await world.a.send("PATCH", `/api/v1/users/${world.a.owner.userId}`, {
        token: world.a.owner.token,
        body: { status: "disabled" },
      });
      world.clock.advance(13 * HOUR);
      for (let round = 0; round < 12; round += 1) await world.controlPlane.tick();
      const homes = [world.a, world.b, world.provider, { store: world.store, tenantId: "platform" }];
      const stored = (await Promise.all(homes.map((home) => eventsOf(home)))).flat().map(({ id }) => id);
      expect(stored.filter((id) => !given.has(id))).toEqual([]);
      const all = new Set(stored);
      const elsewhere = [...given].filter((id) => !all.has(id));
      // All others belong to tenants that samples create.
      expect(elsewhere.length).toBeLessThan(5);
    });
  });

  it("is asked again, later each time, until it succeeds; and tells the caller nothing", async () => {
    const seen: string[] = [];
    let failing = false;
    const world = await createWorld({
      onEvent(event: EventDocument) {
        if (failing && event.type === "reeve.asset.created.v1") {
          seen.push(event.id);
          throw new Error("the other side is away");
        }
      },
    });
    await settled(world);
    failing = true;
    const id = await world.a.newAsset();
    await settled(world);
    const tries = [seen.length];
    for (let hour = 0; hour < 3; hour += 1) {
      world.clock.advance(HOUR);
      await world.controlPlane.tick();
      tries.push(seen.length);
    }
    expect(tries).toEqual([1, 2, 3, 4]);
    await world.controlPlane.tick();
    expect(seen).toHaveLength(4);
    failing = false;
    world.clock.advance(HOUR);
    await world.controlPlane.tick();
    failing = true;
    world.clock.advance(24 * HOUR);
    await world.controlPlane.tick();
    expect(seen).toHaveLength(4);
    expect(new Set(seen).size).toBe(1);
    expect(id).toMatch(/^ast_/);
  });

  it.each([
    ["heard at the tenth try", 9, 10],
    ["given up after ten", Number.POSITIVE_INFINITY, 10],
  ])("is %s, and then asked no more", async (_what, failures, expected) => {
    let tries: number | undefined;
    const world = await createWorld({
      onEvent({ type }: EventDocument) {
        if (tries === undefined || type !== "reeve.asset.created.v1") return;
        tries += 1;
        if (tries <= failures) throw new Error("the other side is away");
      },
    });
    await settled(world);
    tries = 0;
    await world.a.newAsset();
    await settled(world);
    for (let round = 0; round < 12; round += 1) {
      world.clock.advance(13 * HOUR);
      await world.controlPlane.tick();
    }
    expect(tries).toBe(expected);
    const failed = await world.a.store.forTenant(world.a.tenantId).count(outbox, { where: { state: "failed" } });
    expect(failed.count).toBe(failures < expected ? 0 : 1);
  });
});
