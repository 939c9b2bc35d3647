import { createHash, generateKeyPairSync } from "node:crypto";
import type { Scene, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { canonical as canonicalText } from "#kernel/events/canonical.js";
import { hoursMs } from "#ports/durations.js";
import type { Checkpoint } from "../../../src/index.js";
import { verifySlice } from "../../helpers/verify-command.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/ai-governance/audit/slice";
const { privateKey, publicKey: key } = generateKeyPairSync("ed25519");

let world: World;
beforeAll(async () => {
  world = await createWorld({ rateLimits: "off", tokenLifetime: 86_400, checkpointKey: privateKey });
  for (let n = 0; n < 10; n++) await world.a.newAsset();
  await checkpoint();
});

/** Lets the time until the next checkpoint pass, and has it made. */
async function checkpoint() {
  world.clock.advance(hoursMs(25));
  await world.controlPlane.tick();
  for (const scene of [world.a, world.b])
    for (const actor of Object.values(scene.actors)) Object.assign(actor, await scene.signIn(actor.userId, actor));
}

const ask = (query = "", scene: Scene = world.a, token = scene.owner.token) =>
  world.send("GET", `${PATH}${query}`, { token });
const linesOf = (text: string) =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const trailerOf = (text: string) => linesOf(text).at(-1).trailer;
const eventsIn = (text: string) => linesOf(text).flatMap(({ event }) => event ?? []);
const describeAs = async (id: string, description: string) => {
  const given = { token: world.a.owner.token, headers: { "if-match": "*" }, body: { description } };
  expect((await world.send("PUT", `/api/v1/ai-assets/${id}`, given)).status).toBe(200);
};
const activityOf = async (id: string) =>
  (await world.send("GET", `/api/v1/ai/activity/${id}?size=100`, { token: world.a.owner.token })).json.items.reverse();

describe("a slice of the chain", () => {
  it("holds the events of one subject alone, and the proof that none is left out", async () => {
    const id = await world.a.newAsset();
    await describeAs(id, "Known to the auditor.");
    const other = await world.a.newAsset();
    await checkpoint();
    await describeAs(id, "Later.");
    await checkpoint();
    const { text, status, headers } = await ask(`?subjectId=${id}`);
    expect([status, headers["content-type"]]).toEqual([200, "application/x-ndjson"]);
    expect(headers["content-digest"]).toBe(`sha-256=:${createHash("sha256").update(text).digest("base64")}:`);
    const own = await activityOf(id);
    expect(own).toHaveLength(3);
    expect(eventsIn(text)).toEqual(own);
    expect(text).not.toContain(other);
    const { to } = trailerOf(text);
    const proven = { after: 0, to, events: 3, outside: 0, withheld: 0, covered: true, complete: true, unproven: [] };
    const report = verifySlice(text, { key });
    expect(report).toMatchObject({ valid: true, chainid: world.a.tenantId, ...proven, fault: null });
    expect(report.head).toMatchObject({ toSeq: to });
  });

  it("is refused once anything is left out, moved, repeated, changed or of another tenant", async () => {
    const id = await world.a.newAsset();
    await describeAs(id, "One.");
    await describeAs(id, "Two.");
    await checkpoint();
    const { text } = await ask(`?subjectId=${id}`);
    const theirs = await ask(`?kind=ai_asset`, world.b);
    const lines = linesOf(text);
    const at = lines.flatMap(({ event }, index) => (event ? [index] : []));
    const [one, two, three] = at as [number, number, number];
    const foreign = linesOf(theirs.text).find(({ event }) => event);
    const edits: Readonly<Record<string, (all: unknown[]) => unknown>> = {
      "event \\d+ is left out": (all) => all.splice(two, 1),
      "event \\d+ is left out: here is": (all) => all.splice(one, 2, all[two], all[one]),
      "is there twice": (all) => all.splice(three, 0, all[two]),
      "its attributes were changed": (all) =>
        all.splice(two, 1, { ...lines[two], event: { ...lines[two].event, outcome: "denied" } }),
      "its data was changed": (all) =>
        all.splice(two, 1, { ...lines[two], event: { ...lines[two].event, data: { a: 1 } } }),
      "is left out: here is|not of this slice here": (all) => all.splice(two, 1, foreign),
      "the list of subject:\\S+ was changed": (all) => {
        const index = lines.findIndex(({ segment }) => segment?.keys[0]?.entries.length > 1);
        const { segment } = structuredClone(lines[index]);
        segment.keys.find(({ entries }: { entries: unknown[] }) => entries.length > 1).entries.pop();
        all.splice(index, 1, { segment });
      },
      "was changed|lacks what proves": (all) => {
        const index = lines.findIndex(({ segment }) => segment);
        all.splice(index, 1, { segment: { ...lines[index].segment, keys: null } });
      },
      "not signed by that key": (all) =>
        all.splice(0, 1, { slice: { ...lines[0].slice, head: { ...lines[0].slice.head, toSeq: 1 } } }),
      "of another chain": (all) => all.splice(0, 1, { slice: { ...lines[0].slice, chainid: world.b.tenantId } }),
    };
    for (const [reason, edit] of Object.entries(edits)) {
      const edited = lines.slice(0, -1);
      edit(edited);
      const { valid, fault } = verifySlice(withTrailer(edited, trailerOf(text)), { key });
      expect([valid, fault], reason).toEqual([
        false,
        expect.objectContaining({ reason: expect.stringMatching(reason) }),
      ]);
    }
    // What the trailer states is checked as well.
    for (const changed of [{ to: 1 }, { events: 2 }, { complete: false }, { after: 1 }]) {
      const trailer = { ...trailerOf(text), ...changed };
      const edited = withTrailer(lines.slice(0, -1), trailer, trailer.events);
      expect(verifySlice(edited, { key }), JSON.stringify(changed)).toMatchObject({ valid: false });
    }
    expect(verifySlice(withTrailer(lines.slice(0, -1), trailerOf(text)), { key })).toMatchObject({ valid: true });
  });

  it("stays valid when data is erased", async () => {
    const id = await world.a.newAsset();
    await describeAs(id, "To be forgotten.");
    await checkpoint();
    const erasures = "/api/v1/ai-governance/audit/erasures";
    const asked = { token: world.a.owner.token, body: { subjectId: id, reason: "asked for by the person concerned" } };
    const { json } = await world.send("POST", erasures, asked);
    const { token } = world.a.actors.admin;
    const done = await world.send("POST", `${erasures}/${json.id}/decision`, { token, body: { decision: "approve" } });
    expect(done.json).toMatchObject({ status: "approved", erased: 2 });
    const { text } = await ask(`?subjectId=${id}`);
    expect(text).not.toContain("To be forgotten.");
    expect(verifySlice(text, { key })).toMatchObject({ valid: true, events: 2, withheld: 2, covered: true });
  });

  it("is of a span of time, in one part and in many", async () => {
    const id = await world.a.newAsset();
    await checkpoint();
    world.clock.advance(hoursMs(3));
    const from = new Date(world.clock.now()).toISOString();
    await describeAs(id, "Within the span.");
    world.clock.advance(hoursMs(3));
    const before = new Date(world.clock.now()).toISOString();
    await describeAs(id, "After the span.");
    const span = `subjectId=${id}&from=${from}&before=${before}`;
    // Whether something else happened in that time is known once a checkpoint reaches beyond it.
    expect(verifySlice((await ask(`?${span}`)).text, { key })).toMatchObject({ valid: true, events: 0 });
    await checkpoint();
    const { text } = await ask(`?${span}`);
    expect(text).toContain("Within the span.");
    expect(text).not.toContain("After the span.");
    expect(trailerOf(text).after).toBeGreaterThan(0);
    const proven = { events: 1, outside: 1, withheld: 0, covered: true, from, before };
    expect(verifySlice(text, { key })).toMatchObject({ valid: true, ...proven });
    expect(verifySlice((await ask(`?${span}&after=${eventsIn(text)[0].sequence * 1}`)).text, { key })).toMatchObject({
      valid: true,
      covered: false,
    });
    let [parts, count, after, complete] = ["", 0, 0, false];
    while (!complete) {
      const part = await ask(`?${span}&limit=1&after=${after}`);
      parts += part.text;
      count += 1;
      ({ to: after, complete } = trailerOf(part.text));
    }
    expect(count).toBeGreaterThan(1);
    expect(verifySlice(parts, { key })).toMatchObject({ valid: true, ...proven });
    // A part that is missing, or one of something else, shows.
    const [first] = parts.split(/(?<=\{"trailer".*\n)/) as [string];
    expect(verifySlice(parts.slice(first.length), { key })).toMatchObject({ valid: true, covered: false });
    const other = await ask(`?kind=ai_asset&after=${after}`);
    expect(verifySlice(parts + other.text, { key })).toMatchObject({
      valid: false,
      fault: { reason: expect.stringContaining("something else") },
    });
  });

  it("is by person, kind and type, also together", async () => {
    const { admin } = world.a.actors;
    const id = await world.a.newAsset();
    const given = { token: admin.token, headers: { "if-match": "*" }, body: { description: "By the admin." } };
    expect((await world.send("PUT", `/api/v1/ai-assets/${id}`, given)).status).toBe(200);
    await checkpoint();
    const by = await ask(`?actor=${admin.userId}`);
    const all = eventsIn((await ask()).text);
    expect(verifySlice((await ask()).text, { key })).toMatchObject({ valid: true, events: all.length });
    expect(eventsIn(by.text)).toEqual(all.filter(({ authid }) => authid === admin.userId));
    expect(verifySlice(by.text, { key })).toMatchObject({
      valid: true,
      events: eventsIn(by.text).length,
      covered: true,
    });
    const both = await ask(`?actor=${admin.userId}&subjectId=${id}&kind=ai_asset,user&type=asset.updated`);
    expect(eventsIn(both.text)).toHaveLength(1);
    expect(verifySlice(both.text, { key })).toMatchObject({ valid: true, events: 1, covered: true });
    expect((await ask("?type=nothing")).json.code).toBe("invalid_parameter");
  });

  it("tells of no other subject, and proves that there are no events of one that is not there", async () => {
    const theirs = await world.b.newAsset();
    await checkpoint();
    const { text } = await ask(`?subjectId=${theirs}`);
    expect(verifySlice(text, { key })).toMatchObject({ valid: true, events: 0, covered: true, complete: true });
    const ids = new Set(JSON.stringify(linesOf(text)).match(/\b[a-z]{3}_[0-9A-Z]{26}\b/g));
    expect([...ids].sort()).toEqual([world.a.tenantId, theirs].sort());
  });

  it("rests on a checkpoint that was kept, where no key is given", async () => {
    const { text } = await ask(`?kind=ai_asset`);
    const { head } = linesOf(text)[0].slice as { head: Checkpoint };
    expect(verifySlice(text, { checkpoints: [head] })).toMatchObject({ valid: true, signedBy: null });
    const other = { ...head, at: "2026-01-01T00:00:00.000Z" };
    expect(verifySlice(text, { checkpoints: [other] })).toMatchObject({ valid: false });
    const { publicKey } = generateKeyPairSync("ed25519");
    expect(verifySlice(text, { key: publicKey })).toMatchObject({ valid: false });
  });

  it("is exported by those who export events, with the data that they may read", async () => {
    for (const [role, status] of [
      ["auditor", 200],
      ["member", 403],
      ["operator", 403],
    ] as const)
      expect((await ask("", world.a, world.a.actors[role].token)).status, role).toBe(status);
  });
});

it("before the first checkpoint there is nothing to prove", async () => {
  const fresh = await createWorld();
  const { text } = await fresh.send("GET", PATH, { token: fresh.a.owner.token });
  expect(linesOf(text)).toMatchObject([{ slice: { head: null } }, { trailer: { events: 0, complete: false } }]);
  expect(verifySlice(text, { key })).toMatchObject({
    valid: false,
    fault: { reason: expect.stringContaining("has no checkpoint") },
  });
});

it("goes on where events were pruned, and says so", async () => {
  const pruned = await createWorld({ checkpointKey: privateKey, activityRetentionDays: 2, tokenLifetime: 86_400 });
  for (let day = 0; day < 5; day++) {
    pruned.a.actors.owner = await pruned.a.signIn(pruned.a.owner.userId, pruned.a.owner);
    await pruned.a.newAsset();
    await pruned.controlPlane.tick();
    pruned.clock.advance(hoursMs(25));
  }
  const { token } = await pruned.a.signIn(pruned.a.owner.userId, pruned.a.owner);
  const { text } = await pruned.send("GET", `${PATH}?kind=ai_asset`, { token });
  expect(trailerOf(text).after).toBeGreaterThan(0);
  expect(verifySlice(text, { key })).toMatchObject({ valid: true, covered: false, complete: true });
});

/** Lines with a trailer that fits them, as somebody makes it who hides a change. */
function withTrailer(lines: readonly unknown[], trailer: object, events?: number): string {
  const text = lines.map((line) => `${canonicalText(line)}\n`).join("");
  const shown = events ?? lines.filter((line) => typeof line === "object" && line !== null && "event" in line).length;
  const sha256 = createHash("sha256").update(text).digest("hex");
  return `${text}${canonicalText({ trailer: { ...trailer, events: shown, sha256 } })}\n`;
}
