import { createPlane, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type AuditSink, createControlPlane, type EventDocument } from "../../../src/index.js";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

/** A sink that keeps what it takes by tenant, and takes nothing while it is away. */
class KeptSink implements AuditSink {
  readonly taken = new Map<string, EventDocument[]>();
  isAway = false;
  refused = 0;

  constructor(readonly name: string) {}

  async take(events: readonly EventDocument[], tenantId: string): Promise<void> {
    if (this.isAway) {
      this.refused += 1;
      throw new Error("the sink is away");
    }
    this.taken.set(tenantId, [...(this.taken.get(tenantId) ?? []), ...events]);
  }

  sequences(tenantId: string): number[] {
    return (this.taken.get(tenantId) ?? []).map(({ sequence }) => Number(sequence));
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const soon = (expectation: () => Promise<void>) => vi.waitFor(expectation, { timeout: 10_000, interval: 20 });

let world: World;
const [near, far] = [new KeptSink("near"), new KeptSink("far")];
beforeAll(async () => {
  world = await createWorld({ auditSinks: [near, far] });
});

const hasAll = (sink: KeptSink, of: "a" | "b") =>
  soon(async () => expect(sink.sequences(world[of].tenantId)).toEqual(upTo((await eventsOf(world[of])).length)));

describe("an audit sink", () => {
  it("gets every event of each tenant once and in order, from the first one on", async () => {
    await world.a.newAsset();
    await world.b.newAsset();
    for (const sink of [near, far]) {
      await hasAll(sink, "a");
      await hasAll(sink, "b");
    }
    const [first] = near.taken.get(world.a.tenantId) ?? [];
    expect(first).toMatchObject({ specversion: "1.0", id: expect.any(String), eventhash: expect.any(String) });
  });

  it("goes on in another process where the one before has stopped, with nothing twice", async () => {
    const other = createPlane({ store: world.store, clock: world.clock, ids: world.ids, auditSinks: [near, far] });
    await world.a.newAsset();
    await hasAll(near, "a");
    await other.controlPlane.tick();
    await hasAll(near, "a");
    await hasAll(far, "b");
  });

  it("that is away holds up neither the other nor any request, and gets what it missed", async () => {
    far.isAway = true;
    for (let count = 0; count < 5; count += 1) await world.a.newAsset();
    await hasAll(near, "a");
    const known = far.sequences(world.a.tenantId).length;
    await soon(async () => expect(far.refused).toBeGreaterThan(0));
    for (let hours = 0; hours < 20; hours += 1) {
      world.clock.advance(3_600_000);
      await world.controlPlane.tick();
    }
    expect(far.sequences(world.a.tenantId)).toHaveLength(known);
    far.isAway = false;
    world.clock.advance(3_600_000);
    await world.controlPlane.tick();
    await hasAll(far, "a");
  });

  it("is refused without a name, with one that is there, and without take()", () => {
    const good = { name: "x", take: async () => undefined };
    const options = { store: world.store, masterKey: Buffer.alloc(32), baseUrl: "https://reeve.example" };
    for (const auditSinks of [[{ ...good, name: "" }], [good, good], [{ name: "x" }], "none"])
      expect(() => createControlPlane({ ...options, auditSinks } as never), JSON.stringify(auditSinks)).toThrow(
        /auditSinks/,
      );
  });
});
