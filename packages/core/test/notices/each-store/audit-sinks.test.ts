import { createPlane, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type AuditSink, createControlPlane, type EventDocument, silentLogger } from "../../../src/index.js";
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
const warnings: Record<string, unknown>[] = [];
const [near, far] = [new KeptSink("near"), new KeptSink("far")];
beforeAll(async () => {
  const warn = (fields: Record<string, unknown>) => void warnings.push(fields);
  world = await createWorld({ tokenLifetime: 86_400, auditSinks: [near, far], logger: { ...silentLogger, warn } });
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

  it("that is away for long is told of once, in the log and by an event, and shows in the backlog", async () => {
    const { tenantId } = world.a;
    const told = async () =>
      (await eventsOf(world.a))
        .filter(({ attributes }) => attributes.includes("audit.sink_behind.v1"))
        .map(({ attributes, data }) => ({ ...JSON.parse(attributes), data: JSON.parse(data ?? "null") }));
    const before = (await told()).length;
    const refused = far.refused;
    const oldest = new Date(world.clock.now()).toISOString();
    far.isAway = true;
    await world.a.newAsset();
    await soon(async () => expect(far.refused).toBeGreaterThan(refused));
    const backlog = async (everywhere?: boolean) =>
      (await world.controlPlane.backlog({ everywhere })).map(({ target, events, oldestAt }) => [
        target,
        events > 0,
        oldestAt,
      ]);
    for (const everywhere of [false, true])
      await soon(async () =>
        expect(await backlog(everywhere)).toEqual([
          ["webhooks", false, null],
          ["near", false, null],
          ["far", true, oldest],
        ]),
      );
    expect(await told()).toHaveLength(before);
    for (let minutes = 0; minutes < 90; minutes += 10) {
      world.clock.advance(600_000);
      await world.controlPlane.tick();
    }
    const [event, ...others] = (await told()).slice(before);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      severitytext: "WARN",
      subjecttype: "event_chain",
      data: { failingSince: expect.any(String) },
    });
    expect(JSON.stringify(event)).not.toContain("far");
    const same = warnings.filter(({ failingSince }) => failingSince === event.data.failingSince);
    expect(same).toEqual([{ sink: "far", tenantId, ...event.data, entity: undefined }]);
    far.isAway = false;
    world.clock.advance(3_600_000);
    await world.controlPlane.tick();
    await hasAll(far, "a");
    expect((await world.controlPlane.backlog()).every(({ events }) => events === 0)).toBe(true);
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
