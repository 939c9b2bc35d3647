import { sendSample, table, type World } from "@reeve/testkit";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { EVENT_READERS } from "#control-plane/environment.js";
import type { StoredEvent } from "#store/index.js";
import type { Reader } from "#store/store.js";
import { verifyChain } from "../../src/index.js";
import { eventsOf, isProviders } from "../helpers/facts.js";
import { createWorld } from "../helpers/world.js";

const HOUR = 3_600_000;

/** A reader of events that were tampered with. */
function readerOf(events: readonly StoredEvent[]): Reader {
  const scanEvents = async ({ after = 0, size }: { after?: number; size: number }) => events.slice(after, after + size);
  return { scanEvents, find: async () => ({ rows: [] }) } as unknown as Reader;
}

const flip = (text: string, at: number) => {
  const place = at % text.length;
  return text.slice(0, place) + (text[place] === "0" ? "1" : "0") + text.slice(place + 1);
};

/** Ways to tamper with a chain. Each changes it. */
const EDITS: Record<string, (events: StoredEvent[], index: number, at: number) => void> = {
  "attributes edited": (events, index, at) =>
    set(events, index, { attributes: flip(at_(events, index).attributes, at) }),
  "data edited": (events, index, at) => set(events, index, { data: flip(at_(events, index).data as string, at) }),
  "id edited": (events, index, at) => set(events, index, { id: flip(at_(events, index).id, at) }),
  "hash edited": (events, index, at) => set(events, index, { eventHash: flip(at_(events, index).eventHash, at) }),
  "link edited": (events, index, at) => set(events, index, { prevHash: flip(at_(events, index).prevHash, at) }),
  renumbered: (events, index) => set(events, index, { sequence: at_(events, index).sequence + 1 }),
  removed: (events, index) => void events.splice(Math.min(index, events.length - 2), 1),
  doubled: (events, index) => void events.splice(index, 0, at_(events, index)),
  swapped: (events, index) => {
    const first = Math.min(index, events.length - 2);
    events.splice(first, 2, at_(events, first + 1), at_(events, first));
  },
  "data of another": (events, index) => set(events, index, { data: at_(events, (index + 1) % events.length).data }),
};
const at_ = (events: readonly StoredEvent[], index: number) => events[index] as StoredEvent;
const set = (events: StoredEvent[], index: number, patch: Partial<StoredEvent>) => {
  events[index] = { ...at_(events, index), ...patch };
};

describe("the event chain", () => {
  describe("after each operation", () => {
    let world: World;
    let checked = 0;
    beforeAll(async () => {
      world = await createWorld();
    });

    it.each(table.map((operation) => [operation.id, operation] as const))("%s is linked", async (_id, operation) => {
      const { a } = world;
      const caller = isProviders(operation) ? a.provider.owner : await a.newUser(["owner"]);
      await sendSample(a, operation, caller);
      const [newest] = (await a.store.forTenant(a.tenantId).events({ size: 1 })).events;
      const from = checked;
      checked = newest?.sequence ?? 0;
      const part = await verifyChain(a.store.forTenant(a.tenantId), { after: from, limit: checked - from });
      expect(part).toMatchObject({ valid: true, from, to: checked });
    });

    it("verifies as a whole and from outside, and each kind has a reader", async () => {
      const { a, send } = world;
      const events = await eventsOf(a);
      const kinds = events.map(({ attributes }) => (JSON.parse(attributes) as { subjecttype: string }).subjecttype);
      expect(
        [...new Set(kinds)].filter((kind) => !Object.hasOwn(EVENT_READERS, kind)),
        "kinds without a reader",
      ).toEqual([]);
      const whole = await verifyChain(a.store.forTenant(a.tenantId));
      expect(whole).toMatchObject({
        valid: true,
        complete: true,
        checked: events.length,
        headHash: events.at(-1)?.eventHash,
      });
      const { json } = await send("GET", "/api/v1/ai-governance/audit/verification", { token: a.owner.token });
      expect(json).toEqual({ ...whole, fault: null });
    });
  });

  it("still verifies when the data of an event has been erased", async () => {
    const events = (await eventsOf((await createWorld()).a)).map((event) => ({ ...event, data: null }));
    expect(await verifyChain(readerOf(events))).toMatchObject({ valid: true, complete: true });
  });

  it("betrays every edit, and where it begins", { timeout: 60_000 }, async () => {
    const events = await eventsOf((await createWorld()).a);
    const arbitrary = fc.record({
      edit: fc.constantFrom(...Object.keys(EDITS)),
      index: fc.nat(events.length - 1),
      at: fc.nat(10_000),
    });
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ edit, index, at }) => {
        const edited = [...events];
        EDITS[edit]?.(edited, index, at);
        const first = events.findIndex((event, place) => JSON.stringify(event) !== JSON.stringify(edited[place]));
        fc.pre(first >= 0);
        const { valid, fault, checked } = await verifyChain(readerOf(edited));
        expect([valid, fault?.sequence, checked]).toEqual([false, first + 1, first]);
      }),
      { numRuns: 500 },
    );
  });

  it("does not betray a tail that was cut off, but for the hash of its head", async () => {
    const events = await eventsOf((await createWorld()).a);
    const cut = await verifyChain(readerOf(events.slice(0, -1)));
    expect(cut.valid).toBe(true);
    expect(cut.headHash).not.toBe(events.at(-1)?.eventHash);
  });

  it("has no gap and no double after a hundred writes at once", async () => {
    const { a } = await createWorld();
    const before = (await eventsOf(a)).length;
    await Promise.all(Array.from({ length: 100 }, () => a.newAsset()));
    const events = await eventsOf(a);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(events.length).toBe(before + 100);
    expect((await verifyChain(a.store.forTenant(a.tenantId))).valid).toBe(true);
  });
});

describe("the event of a transition", () => {
  it.each(["a", "b"] as const)("of tenant %s says what else has changed with the state", async (name) => {
    const world = await createWorld();
    const { send, actors } = world[name];
    const id = await world[name].newAsset();
    const decide = (token: string, body: object) =>
      send("PATCH", `/api/v1/ai-assets/${id}/governance-state`, { token, body });
    expect((await decide(actors.operator.token, { status: "under_review" })).status).toBe(200);
    const approvedUntil = new Date(world.clock.now() + HOUR).toISOString();
    const given = await decide(actors.approver.token, { status: "approved", configuration: { approvedUntil } });
    expect(given.status).toBe(200);
    const reported = (await eventsOf(world[name])).filter(({ attributes }) =>
      /"machine":"governanceState"/.test(attributes),
    );
    const data = reported.slice(-2).map((event) => JSON.parse(event.data as string));
    expect(data).toMatchObject([
      { to: "under_review", changes: [{ field: "requestedBy", from: null, to: actors.operator.userId }] },
      {
        to: "approved",
        changes: [
          { field: "approvedUntil", from: null, to: approvedUntil },
          { field: "decision", from: null },
        ],
      },
    ]);
  });
});
