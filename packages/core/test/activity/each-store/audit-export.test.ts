import { createHash } from "node:crypto";
import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { hoursMs } from "#ports/durations.js";
import { sha256 } from "#store/index.js";
import { exportEvents, verifyChain } from "../../../src/index.js";
import { verifyExport } from "../../helpers/verify-command.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/ai-governance/audit/export";

let world: World;
beforeAll(async () => {
  world = await createWorld({ rateLimits: "off", tokenLifetime: 86_400 });
  for (let n = 0; n < 30; n++) await world.a.newAsset();
});

const ask = (query = "", scene = world.a) => world.send("GET", `${PATH}${query}`, { token: scene.owner.token });
const linesOf = (text: string) => text.split("\n").slice(0, -1);
const trailerOf = (text: string) => JSON.parse(linesOf(text).at(-1) as string).trailer;

it.each([Number.NaN, -1, 0.5])(
  "ranges of events do not end at %o, where a walk would end before it begins",
  async (bound) => {
    const reader = world.store.forTenant(world.a.tenantId);
    for (const name of ["after", "limit"]) {
      const refusal = expect.objectContaining({ name: "TypeError", message: expect.stringContaining(name) });
      await expect(verifyChain(reader, { [name]: bound })).rejects.toEqual(refusal);
      await expect(exportEvents(reader, { [name]: bound }).next()).rejects.toEqual(refusal);
    }
    await expect(exportEvents(reader, { to: bound }).next()).rejects.toThrow(TypeError);
    await expect(exportEvents(reader, { bytes: bound }).next()).rejects.toThrow(TypeError);
  },
);

describe("the export of events", () => {
  it("is the events as they are served, in order, and a trailer with the hash of all before it", async () => {
    const { text, headers, status } = await ask();
    expect([status, headers["content-type"]]).toEqual([200, "application/x-ndjson"]);
    const lines = linesOf(text);
    const served = await world.send("GET", "/api/v1/ai/activity?size=100", { token: world.a.owner.token });
    const events = lines.slice(0, -1).map((line) => JSON.parse(line));
    expect(events.slice(-100)).toEqual([...served.json.items].reverse().slice(-100));
    expect(trailerOf(text)).toEqual({
      format: "reeve-events/1",
      after: 0,
      to: events.length,
      events: events.length,
      headHash: events.at(-1).eventhash,
      complete: true,
      sha256: sha256(text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1)),
    });
    const digest = createHash("sha256").update(text).digest("base64");
    expect(headers["content-digest"]).toBe(`sha-256=:${digest}:`);
  });

  it("verifies without a server, in one part and in many", async () => {
    const whole = await ask();
    expect(verifyExport(whole.text)).toMatchObject({ valid: true, tied: true, complete: true });
    let [text, after, complete] = ["", 0, false];
    while (!complete) {
      const part = await ask(`?after=${after}&limit=7`);
      text += part.text;
      ({ to: after, complete } = trailerOf(part.text));
    }
    const report = verifyExport(text);
    expect(report).toMatchObject({ valid: true, events: trailerOf(whole.text).events, complete: true });
  });

  it("can be of a range", async () => {
    const { text } = await ask("?after=10&to=20");
    expect(trailerOf(text)).toMatchObject({ after: 10, to: 20, events: 10, complete: false });
    const { to } = trailerOf((await ask()).text);
    expect(trailerOf((await ask(`?after=${to}`)).text)).toMatchObject({ after: to, events: 0, complete: true });
    expect((await ask("?limit=10001")).json.code).toBe("invalid_parameter");
  });

  it("is not complete when it goes on from an event that is not there, as in a chain that was cut off", async () => {
    const { to } = trailerOf((await ask()).text);
    const beyond = await ask(`?after=${to + 1}`);
    expect(trailerOf(beyond.text)).toMatchObject({ after: to + 1, events: 0, complete: false });
  });

  it("holds nothing of another tenant", async () => {
    const { text } = await ask("", world.b);
    expect(text).not.toContain(world.a.sentinel);
    expect(text).toContain(world.b.owner.userId);
  });

  it("is the same from the iterator, which stops when nobody reads on", async () => {
    const reader = world.store.forTenant(world.a.tenantId);
    const lines: string[] = [];
    for await (const line of exportEvents(reader)) lines.push(line);
    // What private views of lists hold is told to the host alone.
    const told = (text: string) =>
      text.split("\n").filter((line) => !/"subjecttype":"(?:saved_view|notice_preferences)"|"trailer"/.test(line));
    const { text } = await ask();
    expect(told(lines.join(""))).toEqual(told(text));
    expect(trailerOf(lines.join("")).headHash).toBe(trailerOf(text).headHash);
    for await (const line of exportEvents(reader)) {
      expect(line).toBe(lines[0]);
      break;
    }
  });

  it("begins no further event once it has grown to a number of bytes", async () => {
    const reader = world.store.forTenant(world.a.tenantId);
    const lines: string[] = [];
    for await (const line of exportEvents(reader, { bytes: 5_000 })) lines.push(line);
    const trailer = trailerOf(lines.join(""));
    expect(trailer).toMatchObject({ complete: false, events: lines.length - 1 });
    expect(lines.slice(0, -2).join("").length).toBeLessThan(5_000);
    expect(lines.slice(0, -1).join("").length).toBeGreaterThanOrEqual(5_000);
  });
});

describe("a slice of the export", () => {
  const sliceOf = (text: string) => JSON.parse(linesOf(text)[0] as string).slice;
  const describeAs = async (path: string, description: string) => {
    const given = { token: world.a.owner.token, headers: { "if-match": "*" }, body: { description } };
    expect((await world.send("PUT", path, given)).status).toBe(200);
  };
  const eventsIn = (text: string) =>
    linesOf(text)
      .map((line) => JSON.parse(line))
      .filter(({ specversion }) => specversion);

  it("shows the data of one subject, and all other events without, so that none can be left out", async () => {
    const id = await world.a.newAsset();
    const path = `/api/v1/ai-assets/${id}`;
    await describeAs(path, "Known to the auditor.");
    const whole = await ask();
    const { text } = await ask(`?subjectId=${id}`);
    expect(sliceOf(text)).toEqual({ ids: expect.arrayContaining([id]) });
    const shown = eventsIn(text).filter(({ data }) => data !== null);
    const own = await world.send("GET", `/api/v1/ai/activity/${id}`, { token: world.a.owner.token });
    expect(shown.reverse()).toEqual(own.json.items);
    expect(eventsIn(text)).toHaveLength(eventsIn(whole.text).length);
    const slice = { events: own.json.items.length, erased: 0, covered: true, ids: sliceOf(text).ids };
    expect(verifyExport(text)).toMatchObject({ valid: true, complete: true, slice });
    // Leaving an event out breaks the chain, also with a trailer that counts anew.
    const lines = linesOf(text);
    const cut = lines.filter((line) => JSON.parse(line).id !== shown[0].id);
    expect(verifyExport(`${cut.join("\n")}\n`)).toMatchObject({ valid: false });
  });

  it("is of a span of time, in one part and in many", async () => {
    const id = await world.a.newAsset();
    world.clock.advance(hoursMs(3));
    const from = new Date(world.clock.now()).toISOString();
    const path = `/api/v1/ai-assets/${id}`;
    await describeAs(path, "Within the span.");
    world.clock.advance(hoursMs(3));
    const before = new Date(world.clock.now()).toISOString();
    await describeAs(path, "After the span.");
    const span = `subjectId=${id}&from=${from}&before=${before}`;
    const { text } = await ask(`?${span}`);
    expect(text).toContain("Within the span.");
    expect(text).not.toContain("After the span.");
    expect(eventsIn(text).length).toBeLessThan(eventsIn((await ask()).text).length);
    const slice = { events: 1, erased: 0, covered: true, from, before };
    expect(verifyExport(text)).toMatchObject({ valid: true, slice });
    // Events before and behind the span show that a file reaches over it. One that begins or ends within it does not.
    const numbers = eventsIn(text).map(({ sequence }) => Number(sequence));
    const late = await ask(`?${span}&after=${numbers[0]}`);
    const early = await ask(`?${span}&to=${(numbers.at(-1) ?? 0) - 1}`);
    for (const cut of [late, early])
      expect(verifyExport(cut.text)).toMatchObject({ valid: true, slice: { events: 1, covered: false } });
    let [parts, after, events] = ["", 0, 1];
    while (events > 0) {
      const part = await ask(`?${span}&limit=1&after=${after}`);
      parts += part.text;
      ({ to: after, events } = trailerOf(part.text));
    }
    expect(verifyExport(parts)).toMatchObject({ valid: true, slice: { events: 1, covered: true } });
    // A part of a slice joined to one of everything is no export.
    const other = await ask(`?after=${after}&limit=1`);
    expect(verifyExport(parts + other.text)).toMatchObject({ valid: false });
    const later = new Date(world.clock.now() + hoursMs(5)).toISOString();
    expect(trailerOf((await ask(`?from=${later}`)).text)).toMatchObject({ events: 1, complete: true });
  });

  it("is of no subject of another tenant", async () => {
    const theirs = await world.b.newAsset();
    expect((await ask(`?subjectId=${theirs}`)).json.code).toBe("invalid_reference");
    expect((await ask(`?subjectId=ast_none`)).json.code).toBe("invalid_reference");
  });
});
