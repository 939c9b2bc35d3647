import { createHash } from "node:crypto";
import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "#store/index.js";
import { exportEvents, verifyChain } from "../../../src/index.js";
import { verifyExport } from "../../helpers/verify-command.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/ai-governance/audit/export";

let world: World;
beforeAll(async () => {
  world = await createWorld({ rateLimits: "off" });
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
    expect(lines.join("")).toBe((await ask()).text);
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
