import { createHash, createPublicKey, generateKeyPairSync } from "node:crypto";
import type { Scene, World } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { checkpoints } from "#families/activity/chain/schema.js";
import { chainTimeline } from "#families/activity/chain/verify/timeline.js";
import { merkleRoot } from "../../../../../scripts/docs/chain-vectors.js";
import { type Checkpoint, checkpointText, exportEvents, isSignedBy, verifyChain } from "../../../src/index.js";
import { eventsOf, eventTypes } from "../../helpers/facts.js";
import { verifyExport } from "../../helpers/verify-command.js";
import { createWorld } from "../../helpers/world.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const pem = (key: typeof privateKey) => key.export({ type: "pkcs8", format: "pem" }).toString();

/** A world whose host stores its checkpoints, and can refuse them. */
async function anchored(more: Parameters<typeof createWorld>[0] = {}) {
  const kept: Checkpoint[] = [];
  const host = { refuses: false };
  const world = await createWorld({
    tokenLifetime: 86_400,
    checkpointKey: privateKey,
    anchor(checkpoint) {
      if (host.refuses) throw new Error("the archive is away");
      kept.push(checkpoint);
    },
    ...more,
  });
  const of = ({ tenantId }: Scene) => kept.filter(({ chainid }) => chainid === tenantId);
  return { ...world, kept, host, of };
}

const verified = (scene: Scene, options: Parameters<typeof verifyChain>[1] = {}) =>
  verifyChain(scene.store.forTenant(scene.tenantId), options);
const checkpointsOf = async (scene: Scene) => {
  const { token } = await scene.signIn(scene.owner.userId, scene.owner);
  return (await scene.send("GET", "/api/v1/ai-governance/audit/checkpoints?size=100", { token })).json.items;
};

/** When the first and the last event of a checkpoint were. */
function times(events: Awaited<ReturnType<typeof eventsOf>>, checkpoint: Checkpoint | undefined) {
  const at = (sequence = 0) => JSON.parse(events[sequence - 1]?.attributes ?? "{}").time;
  return { firstTime: at(checkpoint?.fromSeq), lastTime: at(checkpoint?.toSeq) };
}

/** Ticks once per day, with a new event before each tick. */
async function days({ a, controlPlane, clock }: World, count: number): Promise<void> {
  for (let day = 0; day < count; day++) {
    a.actors.owner = await a.signIn(a.owner.userId, a.owner);
    await a.newAsset();
    await controlPlane.tick();
    clock.advance(DAY);
  }
}

describe("checkpoints", () => {
  it("cover the chain without gaps, are signed, and are handed to the host", async () => {
    const world = await anchored();
    await days(world, 3);
    const [first, ...rest] = world.of(world.a) as [Checkpoint, ...Checkpoint[]];
    expect(rest).toHaveLength(2);
    const events = await eventsOf(world.a);
    expect(first.fromSeq).toBe(1);
    let next = 1;
    for (const checkpoint of [first, ...rest]) {
      expect(checkpoint.fromSeq).toBe(next);
      next = checkpoint.toSeq + 1;
      const covered = events.slice(checkpoint.fromSeq - 1, checkpoint.toSeq).map(({ eventHash }) => eventHash);
      expect([checkpoint.headHash, checkpoint.merkleRoot]).toEqual([covered.at(-1), merkleRoot(covered)]);
      expect(isSignedBy(checkpoint, createPublicKey(pem(privateKey)))).toBe(true);
      expect(isSignedBy(checkpoint, publicKey)).toBe(true);
      expect(isSignedBy({ ...checkpoint, toSeq: 1 }, publicKey)).toBe(false);
      expect(isSignedBy(checkpoint, generateKeyPairSync("ed25519").publicKey)).toBe(false);
    }
    const stored = await checkpointsOf(world.a);
    expect(stored.map(({ checkpoint }: { checkpoint: Checkpoint }) => checkpoint).reverse()).toEqual([first, ...rest]);
    expect(stored.every(({ status }: { status: string }) => status === "anchored")).toBe(true);
    expect(await verified(world.a, { key: publicKey, checkpoints: world.of(world.a) })).toMatchObject({
      valid: true,
      checkpoints: 6,
    });
  });

  it("vouch for all checkpoints before them", async () => {
    const world = await anchored();
    await days(world, 9);
    const kept = world.of(world.a);
    expect(kept).toHaveLength(9);
    const leaves = kept.map((checkpoint) => Buffer.from(checkpointText(checkpoint)).toString("hex"));
    for (const [place, { history, index }] of kept.entries()) {
      expect(history).toEqual({ size: place, root: merkleRoot(leaves.slice(0, place)) });
      expect(index).toEqual({
        root: expect.stringMatching(/^[\da-f]{64}$/),
        ...times(await eventsOf(world.a), kept[place]),
      });
    }
  });

  it("are not made when nothing happened but they themselves, nor before their time", async () => {
    const world = await anchored();
    // By then, no record of the world has a time transition left.
    world.clock.advance(400 * DAY);
    await world.controlPlane.tick();
    await world.controlPlane.tick();
    const made = async () => (await eventTypes(world.a)).filter((type) => type === "audit.checkpoint").length;
    const [handed, before] = [world.of(world.a).length, await made()];
    expect(handed).toBeGreaterThan(0);
    for (let tick = 0; tick < 5; tick++) {
      await world.controlPlane.tick();
      world.clock.advance(tick < 2 ? HOUR : 2 * DAY);
    }
    expect(world.of(world.a)).toHaveLength(handed);
    expect(await made()).toBe(before);
  });

  it("are made of ten thousand events at the most, and then at once", async () => {
    const world = await anchored();
    await world.controlPlane.tick();
    const tenant = world.store.forTenant(world.b.tenantId);
    const [first] = await tenant.scanEvents({ size: 1 });
    const drafts = Array.from({ length: 1_000 }, () => first).map((event, n) => event && { ...event, n });
    for (let batch = 0; batch < 21; batch++) {
      const made = drafts.map((event, n) => {
        const id = `evt_7${String(batch * 1_000 + n).padStart(25, "0")}`;
        const attributes = (event?.attributes ?? "").replace(first?.id ?? "", id);
        return { id, time: "", attributes, data: event?.data ?? "", recordHash: hash(attributes), streams: [] };
      });
      await tenant.append(...made);
    }
    // The events were written beside the kernel.
    await world.store.dues.lower([world.b.tenantId], new Date(world.clock.now()).toISOString());
    await world.controlPlane.tick();
    const sizes = world.of(world.b).map(({ fromSeq, toSeq }) => toSeq - fromSeq + 1);
    expect(sizes.slice(1)).toEqual([10_000, 10_000]);
    expect((await verified(world.b)).valid).toBe(true);
  });

  it("are made once when two processes tick at the same time", async () => {
    const world = await anchored();
    await Promise.all(Array.from({ length: 4 }, () => world.controlPlane.tick()));
    expect(await checkpointsOf(world.a)).toHaveLength(1);
    expect(new Set(world.of(world.a).map(({ toSeq }) => toSeq)).size).toBe(1);
  });

  it("that the host refuses are tried again, later each time, in order, and never given up", async () => {
    const world = await anchored();
    world.host.refuses = true;
    await days(world, 30);
    expect(world.kept).toEqual([]);
    const open = await checkpointsOf(world.a);
    expect(new Set(open.map(({ status }: { status: string }) => status))).toEqual(new Set(["open"]));
    expect(open.at(-1).attempts).toBeGreaterThan(10);
    world.host.refuses = false;
    await world.controlPlane.tick();
    expect(
      world
        .of(world.a)
        .slice(0, 30)
        .map(({ toSeq }) => toSeq),
    ).toEqual(open.map(({ checkpoint }: { checkpoint: Checkpoint }) => checkpoint.toSeq).reverse());
  });

  it("are not made where nothing is done with them", async () => {
    const world = await createWorld();
    await world.controlPlane.tick();
    expect(await checkpointsOf(world.a)).toEqual([]);
  });

  it("need no key: without one they are not signed", async () => {
    const world = await anchored({ checkpointKey: undefined });
    await world.controlPlane.tick();
    expect(world.of(world.a)[0]).not.toHaveProperty("signature");
  });
});

describe("a verification", () => {
  it.each(["a", "b"] as const)("of tenant %s doubts the event it starts behind as well", async (name) => {
    const world = await anchored();
    await days(world, 2);
    const scene = world[name];
    const [, last] = world.of(scene).slice(-2) as [Checkpoint, Checkpoint];
    const after = last.toSeq;
    expect(await verified(scene, { after, checkpoints: [last] })).toMatchObject({ valid: true, from: after });
    const other = { ...last, headHash: hash("another event") };
    expect(await verified(scene, { after, checkpoints: [other] })).toMatchObject({
      valid: false,
      checked: 0,
      complete: false,
      fault: { sequence: after, reason: `a checkpoint of ${last.at} knows another event here` },
    });
  });

  it("begins where events were pruned, and doubts the checkpoint that it begins behind", async () => {
    const world = await anchored({ activityRetentionDays: 3 });
    await days(world, 5);
    const from = (await verified(world.a)).from;
    expect(from).toBeGreaterThan(0);
    const start = world.of(world.a).find(({ toSeq }) => toSeq === from) as Checkpoint;
    expect(await verified(world.a, { checkpoints: [start] })).toMatchObject({ valid: true, from });
    expect(await verified(world.a, { checkpoints: [{ ...start, headHash: hash("another event") }] })).toMatchObject({
      valid: false,
      fault: { sequence: from, reason: expect.stringContaining("knows another event") },
    });
  });
});

describe("retention", () => {
  it("keeps for ever what nobody asked to drop", async () => {
    const world = await anchored();
    await days(world, 5);
    world.clock.advance(4_000 * DAY);
    await world.controlPlane.tick();
    expect((await eventsOf(world.a))[0]?.sequence).toBe(1);
  });

  it("drops events with the checkpoint that covers them, and the rest verifies from there", async () => {
    const world = await anchored({ activityRetentionDays: 3 });
    const others = (await eventsOf(world.b)).length;
    await days(world, 3);
    expect((await eventsOf(world.a))[0]?.sequence).toBe(1);
    await days(world, 2);
    const [first, second] = world.of(world.a) as [Checkpoint, Checkpoint];
    const [oldest] = await eventsOf(world.a);
    expect(oldest?.sequence).toBe(second.toSeq + 1);
    expect(await verified(world.a)).toMatchObject({ valid: true, complete: true, from: second.toSeq });
    expect(await verified(world.a, { checkpoints: [first, second], key: publicKey })).toMatchObject({ valid: true });
    const forged = { ...first, headHash: hash("another event") };
    expect(await verified(world.a, { checkpoints: [forged] }), "of a chain that was built anew").toMatchObject({
      valid: false,
      fault: { sequence: first.toSeq, reason: expect.stringContaining("knows another event") },
    });
    expect((await eventTypes(world.a)).filter((type) => type === "audit.pruned")).toHaveLength(2);
    const [, pruned] = (await checkpointsOf(world.a)).reverse();
    expect(pruned.prunedAt).not.toBeNull();
    const { json } = await world.send("GET", "/api/v1/ai/activity?size=100", { token: world.a.owner.token });
    expect(json.items.at(-1).sequence).toBe(oldest && String(oldest.sequence).padStart(12, "0"));
    const lines: string[] = [];
    for await (const line of exportEvents(world.store.forTenant(world.a.tenantId))) lines.push(line);
    const report = verifyExport(lines.join(""), {
      key: publicKey,
      checkpoints: world.of(world.a),
    });
    expect(report).toMatchObject({ valid: true, tied: true, after: second.toSeq, complete: true });
    expect(world.of(world.b)[0]?.toSeq, "the other tenant's own checkpoint").toBeGreaterThanOrEqual(others);
  });

  it("gives up nothing that the host has not taken", async () => {
    const world = await anchored({ activityRetentionDays: 1 });
    world.host.refuses = true;
    await days(world, 5);
    expect((await eventsOf(world.a))[0]?.sequence).toBe(1);
    world.host.refuses = false;
    await days(world, 2);
    expect((await eventsOf(world.a))[0]?.sequence).toBeGreaterThan(1);
    expect((await verified(world.a)).valid).toBe(true);
  });

  it("needs no anchor where none is given", async () => {
    const world = await createWorld({ tokenLifetime: 86_400, activityRetentionDays: 1 });
    await days(world, 4);
    expect((await eventsOf(world.a))[0]?.sequence).toBeGreaterThan(1);
    expect((await verified(world.a)).valid).toBe(true);
  });

  it("goes on where a tick was cut off, and repeats nothing", async () => {
    const world = await anchored({ activityRetentionDays: 2 });
    await days(world, 2);
    const tenant = world.store.forTenant(world.a.tenantId);
    const before = (await eventsOf(world.a)).length;
    await tenant.pruneEvents(3);
    await Promise.all([world.controlPlane.tick(), world.controlPlane.tick()]);
    const [first] = world.of(world.a) as [Checkpoint];
    const events = await eventsOf(world.a);
    expect([events[0]?.sequence, (events.at(-1)?.sequence ?? 0) > before]).toEqual([first.toSeq + 1, true]);
    expect((await eventTypes(world.a)).filter((type) => type === "audit.pruned")).toHaveLength(1);
    expect((await verified(world.a)).valid).toBe(true);
  });

  it("of a chain that does not verify makes no checkpoint and drops nothing", async () => {
    const complaints: unknown[] = [];
    const logger = { info() {}, warn() {}, error: (fields: object) => complaints.push(fields) };
    const world = await anchored({ activityRetentionDays: 1, logger });
    const tenant = world.store.forTenant(world.a.tenantId);
    const forged = {
      id: "evt_forged",
      time: "",
      attributes: '{"id":"evt_forged","datahash":""}',
      data: "{}",
      streams: [],
    };
    await tenant.append({ ...forged, recordHash: hash("something else") });
    await days(world, 3);
    expect(world.of(world.a)).toEqual([]);
    expect((await eventsOf(world.a))[0]?.sequence).toBe(1);
    expect(complaints).toContainEqual(expect.objectContaining({ tenantId: world.a.tenantId }));
    expect(world.of(world.b).length).toBeGreaterThan(0);
  });
});

describe("the timeline of the chain", () => {
  const timelineOf = async ({ send, ...world }: World, name: "a" | "b", query = "") => {
    const { token } = await world[name].signIn(world[name].owner.userId, world[name].owner);
    return (await send("GET", `/api/v1/ai-governance/audit/timeline${query}`, { token })).json;
  };

  it.each(["a", "b"] as const)(
    "of tenant %s has what was pruned, and a whole part for each checkpoint",
    async (name) => {
      const world = await anchored({ activityRetentionDays: 3 });
      await days(world, 5);
      const { complete, parts, to } = await timelineOf(world, name);
      const events = await eventsOf(world[name]);
      const made = world.of(world[name]);
      const start = (events[0]?.sequence ?? 0) - 1;
      expect(complete).toBe(true);
      expect(to).toBe(events.at(-1)?.sequence);
      expect(parts[0]).toMatchObject({ state: "pruned", from: 1, to: start, checkpoint: { signed: true } });
      const whole = parts.slice(1);
      expect(new Set(whole.map(({ state }: { state: string }) => state))).toEqual(new Set(["whole"]));
      expect(whole.filter(({ checkpoint }: { checkpoint: unknown }) => checkpoint)).toMatchObject(
        made
          .filter(({ toSeq }) => toSeq > start)
          .map(({ toSeq, at }) => ({ to: toSeq, checkpoint: { at, signed: true } })),
      );
      // Nothing stands between two parts, however they are asked for.
      const bySteps = [];
      for (let after = 0, done = false; !done; ) {
        const step = await timelineOf(world, name, `?after=${after}&limit=2`);
        bySteps.push(...step.parts);
        ({ to: after, complete: done } = step);
      }
      for (const all of [parts, bySteps])
        for (const [at, { from }] of all.entries()) expect(from).toBe(at === 0 ? 1 : all[at - 1].to + 1);
    },
  );

  it("marks what is missing, broken and erased, and goes on behind it", async () => {
    const world = await anchored();
    await days(world, 2);
    const [events, last] = [await eventsOf(world.a), world.of(world.a).at(-1) as Checkpoint];
    const torn = events
      .filter(({ sequence }) => ![3, 4].includes(sequence) && sequence < last.toSeq)
      .map((event) => {
        if (event.sequence === 6) return { ...event, attributes: event.attributes.replace('"success"', '"failure"') };
        return event.sequence === 7 ? { ...event, data: null } : event;
      });
    const tenant = world.store.forTenant(world.a.tenantId);
    const reader = new Proxy(tenant, {
      get: (target, name) =>
        name === "scanEvents"
          ? async ({ after = 0, size }: { after?: number; size: number }) =>
              torn.filter(({ sequence }) => sequence > after).slice(0, size)
          : Reflect.get(target, name).bind(target),
    });
    const { parts } = await chainTimeline(reader, { after: 0, limit: 10_000, key: privateKey });
    expect(parts.slice(0, 4)).toMatchObject([
      { state: "whole", from: 1, to: 2, erased: 0 },
      { state: "missing", from: 3, to: 4, fromAt: null },
      { state: "whole", from: 5, to: 5 },
      { state: "broken", from: 6, to: 6, reason: "its attributes were changed" },
    ]);
    expect(parts[4]).toMatchObject({ state: "whole", from: 7, erased: 1 });
    expect(parts.at(-1)).toMatchObject({ state: "missing", to: last.toSeq });
  });
});

describe("verification with checkpoints", () => {
  it("finds an end that was cut off, and a chain that was written anew", async () => {
    const world = await anchored();
    await days(world, 2);
    const kept = world.of(world.a);
    const events = await eventsOf(world.a);
    const lastKept = kept.at(-1)?.toSeq ?? 0;
    const reader = (list: typeof events) =>
      ({
        scanEvents: async ({ after = 0, size }: { after?: number; size: number }) => list.slice(after, after + size),
        find: async () => ({ rows: [] }),
      }) as unknown as Parameters<typeof verifyChain>[0];
    expect((await verifyChain(reader(events), { checkpoints: kept })).valid).toBe(true);
    const cut = events.slice(0, lastKept - 1);
    expect((await verifyChain(reader(cut))).valid).toBe(true);
    expect(await verifyChain(reader(cut), { checkpoints: kept })).toMatchObject({
      valid: false,
      fault: { sequence: lastKept, reason: expect.stringContaining("the end is missing") },
    });
    const elsewhere = await createWorld({ eventTypePrefix: "other" });
    for (let n = 0; n < 9; n++) await elsewhere.a.newAsset();
    const other = await eventsOf(elsewhere.a);
    const anew = await verifyChain(reader(other), { checkpoints: kept });
    expect(anew).toMatchObject({ valid: false, fault: { sequence: kept[0]?.toSeq } });
  });

  it("K6 of all tenants compares checkpoints kept elsewhere, and tells what lies beyond each head", async () => {
    const world = await anchored({ activityRetentionDays: 3 });
    await days(world, 5);
    const { kept, controlPlane, a, b } = world;
    async function* given(...more: Checkpoint[]) {
      for (const checkpoint of [...kept, ...more]) yield checkpoint;
    }
    const verify = (...more: Checkpoint[]) => controlPlane.verifyEvents(undefined, { checkpoints: given(...more) });
    expect(await verify()).toMatchObject({ faults: [], beyond: [] });
    const head = (await eventsOf(a)).at(-1)?.sequence ?? 0;
    const last = world.of(a).at(-1) as Checkpoint;
    const later = [head + 7, head + 9, head + 8].map((toSeq) => ({ ...last, toSeq }));
    const unknown = { ...last, chainid: "tnt_made_since_the_backup", toSeq: 3 };
    expect(await verify(...later, unknown)).toMatchObject({
      faults: [],
      beyond: [
        { tenantId: a.tenantId, sequence: head + 9, head },
        { tenantId: unknown.chainid, sequence: 3, head: 0 },
      ],
    });
    const [pruned] = world.of(b) as [Checkpoint];
    const forged = [last, pruned].map((checkpoint) => ({ ...checkpoint, headHash: hash("another event") }));
    const { faults } = await verify(...forged);
    expect(faults).toMatchObject([
      { tenantId: a.tenantId, sequence: last.toSeq, reason: expect.stringContaining("knows another event") },
      { tenantId: b.tenantId, sequence: pruned.toSeq },
    ]);
    // The chain that was pruned has no checkpoint there, so this one is of another chain.
    const foreign = { ...pruned, toSeq: pruned.toSeq - 1 };
    expect((await verify(foreign)).faults).toMatchObject([{ tenantId: b.tenantId, sequence: foreign.toSeq }]);
  });

  it("finds that a chain ends before the event from which it goes on", async () => {
    const { a } = await anchored();
    const { to } = await verified(a);
    expect(await verified(a, { after: to })).toMatchObject({ valid: true, checked: 0, complete: true });
    expect(await verified(a, { after: to + 1 })).toMatchObject({
      valid: false,
      checked: 0,
      complete: false,
      fault: { sequence: to + 1, reason: "the end is missing: there is no such event" },
    });
  });

  it("with a key counts no checkpoint without a signature, and begins behind none that lost its own", async () => {
    const world = await anchored({ activityRetentionDays: 3 });
    const { a } = world;
    await days(world, 5);
    const whole = await verified(a, { key: publicKey });
    expect(whole.valid).toBe(true);
    await world.store.transaction(a.tenantId, async (tx) => {
      const { rows } = await tx.find(checkpoints, { order: { by: "toSeq", direction: "asc" }, size: 100 });
      for (const { value } of rows) {
        const { signature: _gone, ...rest } = value.checkpoint;
        if (rest.toSeq >= whole.from)
          await tx.replace(checkpoints, { ...value, version: value.version + 1, checkpoint: rest }, value);
      }
    });
    expect(await verified(a)).toMatchObject({ valid: true, checkpoints: whole.checkpoints });
    expect(await verified(a, { key: publicKey })).toMatchObject({
      valid: false,
      checkpoints: 0,
      fault: { sequence: whole.from, reason: expect.stringContaining("is not signed") },
    });
    expect(await verified(a, { key: publicKey, after: whole.from + 1 })).toMatchObject({
      valid: false,
      checkpoints: 0,
      signedTo: null,
    });
  });

  it("with a key says up to which event a signature reaches, also behind it, and passes no chain without one", async () => {
    const world = await anchored({});
    const { a } = world;
    await days(world, 2);
    const [newest] = (
      await a.store.forTenant(a.tenantId).find(checkpoints, { order: { by: "toSeq", direction: "desc" }, size: 1 })
    ).rows;
    const toSeq = newest?.value.checkpoint.toSeq ?? 0;
    expect(toSeq).toBeGreaterThan(0);
    const whole = await verified(a, { key: publicKey });
    expect(whole).toMatchObject({ valid: true, complete: true, signedTo: toSeq });
    expect(whole.to).toBeGreaterThan(toSeq);
    expect(await verified(a)).toMatchObject({ valid: true, signedTo: null });
    expect(await verified(a, { key: publicKey, after: whole.to })).toMatchObject({ valid: true, signedTo: toSeq });
    expect(await verified(a, { key: publicKey, limit: 1 })).toMatchObject({ valid: true, signedTo: null });
    const other = generateKeyPairSync("ed25519").publicKey;
    const unsigned = {
      valid: false,
      signedTo: null,
      fault: { reason: expect.stringContaining("no checkpoint is signed") },
    };
    expect(await verified(a, { key: other })).toMatchObject(unsigned);
    await world.store.transaction(a.tenantId, async (tx) => {
      const { rows } = await tx.find(checkpoints, { size: 100 });
      for (const { value } of rows) await tx.remove(checkpoints, value, value.createdAt);
    });
    expect(await verified(a, { key: publicKey })).toMatchObject({ ...unsigned, complete: true });
    const served = await a.send("GET", "/api/v1/ai-governance/audit/verification", { token: a.owner.token });
    expect(served.json).toMatchObject(unsigned);
  });

  it("goes on from any sequence, and tells of checkpoints on its way", async () => {
    const world = await anchored();
    await days(world, 2);
    const { to } = await verified(world.a);
    const [first] = world.of(world.a) as [Checkpoint];
    for (let after = 0; after < to; after += 5) {
      const part = await verified(world.a, { after, limit: 5 });
      const within = world.of(world.a).filter(({ toSeq }) => toSeq >= after && toSeq <= part.to);
      expect(part).toMatchObject({ valid: true, from: after, checkpoints: within.length });
    }
    expect((await verified(world.a, { checkpoints: [{ ...first, headHash: hash("") }] })).fault?.sequence).toBe(
      first.toSeq,
    );
  });
});

describe("options", () => {
  it.each([
    ["activityRetentionDays", "0", 0],
    ["activityRetentionDays", "1.5", 1.5],
    ["checkpointHours", "0", 0],
    ["checkpointKey", "no key", "no key"],
    ["checkpointKey", "a key of P-256", pem(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey)],
    ["checkpointKey", "a public key", publicKey],
  ])("refuse %s = %s", async (name, _what, value) => {
    await expect(createWorld({ [name]: value })).rejects.toThrow(`- ${name} must be`);
  });

  it("take a key as PEM too", async () => {
    const world = await anchored({ checkpointKey: pem(privateKey) });
    await world.controlPlane.tick();
    expect(isSignedBy(world.of(world.a)[0] as Checkpoint, publicKey)).toBe(true);
  });
});

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
