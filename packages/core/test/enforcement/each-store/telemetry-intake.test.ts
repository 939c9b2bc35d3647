import { gzipSync } from "node:zlib";
import { newPublication, type Scene, type World } from "@reeve/testkit";
import { PbfWriter } from "pbf";
import { beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "#families/enforcement/telemetry/rules.js";
import { usageRows } from "#families/enforcement/telemetry/schema.js";
import { headOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";
import { recordingOf } from "../telemetry/recordings.js";
import { ofSpans, PROTOBUF, sender, span } from "../telemetry/sender.js";

let world: World;
let scene: Scene;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400, rateLimits: "off" });
  scene = world.a;
});

const DAY = 86_400_000;
const bytesOf = (name: string) => Buffer.from(recordingOf(name).exports[0]?.base64 ?? "", "base64");
const GZIP = { "content-encoding": "gzip" };

describe("the intake", () => {
  it("answers in the form and the media type of the request, packed or not", async () => {
    const { post, usage } = await sender(scene);
    const protobuf = bytesOf("ai-7-protobuf");
    const plain = await post("traces", { bytes: protobuf, headers: PROTOBUF });
    expect([plain.status, plain.headers["content-type"], plain.text]).toEqual([200, "application/x-protobuf", ""]);
    const packed = await post("traces", { bytes: gzipSync(protobuf), headers: { ...PROTOBUF, ...GZIP } });
    expect([packed.status, packed.text]).toEqual([200, ""]);
    const json = { "content-type": "application/json" };
    const sent = JSON.stringify(recordingOf("ai-7").exports[0]?.body);
    const asJson = await post("traces", { bytes: gzipSync(sent), headers: { ...json, ...GZIP } });
    expect([asJson.status, asJson.json]).toEqual([200, {}]);
    expect((await usage()).totals.modelCalls).toBe(14);
    for (const headers of [PROTOBUF, { ...PROTOBUF, ...GZIP }, json])
      expect((await post("logs", { bytes: "", headers })).status).toBe(200);
    const metrics = await post("metrics", {
      body: { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ sum: { dataPoints: [{}] } }] }] }] },
    });
    expect(metrics.json.partialSuccess).toEqual({
      rejectedDataPoints: "0",
      errorMessage: expect.stringMatching(/not read/),
    });
  });

  it("says in protobuf too what it has not counted", async () => {
    const { post } = await sender(scene);
    const point = (writer: PbfWriter) => writer.writeMessage(1, () => undefined, undefined);
    const nested = [1, 2, 2, 7].reduceRight<(writer: PbfWriter) => void>(
      (inner, field) => (writer) => writer.writeMessage(field, (_, one) => inner(one), undefined),
      point,
    );
    const writer = new PbfWriter();
    nested(writer);
    const { status, text } = await post("metrics", { bytes: Uint8Array.from(writer.finish()), headers: PROTOBUF });
    expect([status, text]).toEqual([200, expect.stringMatching(/Metrics are not read/)]);
  });

  it("refuses what it cannot read with a problem, and stores nothing of it", async () => {
    const { post, today } = await sender(scene);
    const protobuf = bytesOf("ai-7-protobuf");
    const changed = (at: number, value: number) =>
      Uint8Array.from(protobuf, (byte, index) => (index === at ? value : byte));
    const bad: [unknown, Uint8Array | string, object][] = [
      [400, protobuf.subarray(0, protobuf.length - 3), PROTOBUF],
      [400, Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f), PROTOBUF],
      [400, Uint8Array.of(0x0a), PROTOBUF],
      [400, Uint8Array.of(0x00, 0x01), PROTOBUF],
      [400, Uint8Array.of(0x0b, 0x01), PROTOBUF],
      [400, Uint8Array.of(...Array.from({ length: 40 }, () => 0xff)), PROTOBUF],
      [400, changed(1, 0x02), PROTOBUF],
      [400, "{}", PROTOBUF],
      [400, gzipSync(protobuf).subarray(0, 200), { ...PROTOBUF, ...GZIP }],
      [413, gzipSync(Buffer.alloc(64 * 1024 * 1024)), { ...PROTOBUF, ...GZIP }],
      [413, Buffer.alloc(2 * 1024 * 1024 + 1), PROTOBUF],
      [415, protobuf, { ...PROTOBUF, "content-encoding": "br" }],
      [415, protobuf, { "content-type": "application/octet-stream" }],
      [415, protobuf, {}],
      [400, "{", { "content-type": "application/json" }],
      [400, "[]", { "content-type": "application/json" }],
      [400, `{"resourceSpans":${"[".repeat(100)}${"]".repeat(100)}}`, { "content-type": "application/json" }],
      [400, `{"resourceSpans":[${"[],".repeat(600_000)}[]]}`, { "content-type": "application/json" }],
      [400, '{"resourceSpans":3}', { "content-type": "application/json" }],
    ];
    for (const [status, bytes, headers] of bad) {
      const answer = await post("traces", { bytes, headers: headers as Record<string, string> });
      expect([answer.status, answer.headers["content-type"]], String(bytes).slice(0, 40)).toEqual([
        status,
        "application/problem+json; charset=utf-8",
      ]);
    }
    expect(await today()).toBeUndefined();
  });

  it("takes any bytes in place of protobuf without failing", async () => {
    const { post } = await sender(scene);
    const protobuf = bytesOf("ai-7-protobuf");
    let state = 7;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % below;
    };
    for (let round = 0; round < 150; round += 1) {
      const bytes = Uint8Array.from(protobuf);
      for (let change = 0; change <= round % 5; change += 1) bytes[random(bytes.length)] = random(256);
      const { status } = await post("traces", { bytes, headers: PROTOBUF });
      expect([200, 400]).toContain(status);
    }
  });

  it("reads odd parts of an export as if they were absent", async () => {
    const { post, usage } = await sender(scene);
    const odd = [null, 3, "x", [], {}, { attributes: 3 }, { attributes: [null, { key: 3 }, { key: "a", value: 4 }] }];
    const fine = span(1, { "gen_ai.usage.input_tokens": 5, "gen_ai.usage.output_tokens": -3 });
    const resourceSpans = [{}, { resource: 3, scopeSpans: [{ scope: [], spans: [...odd, fine] }] }];
    expect((await post("traces", { body: { resourceSpans } })).status).toBe(200);
    const { totals } = await usage();
    expect([totals.modelCalls, totals.tokens.input, totals.tokens.output]).toEqual([
      1,
      { sum: 5, unknownCalls: 0 },
      { sum: null, unknownCalls: 1 },
    ]);
  });

  it("is for installations alone, each of which tells of itself", async () => {
    const body = ofSpans(span(1));
    for (const token of [undefined, "rin_no", scene.owner.token, world.b.owner.token]) {
      const { status } = await scene.send("POST", "/api/v1/otlp/v1/traces", { token, body });
      expect([401, 403]).toContain(status);
    }
    const { post, id, credential } = await sender(scene);
    expect((await post("traces", { body })).status).toBe(200);
    for (const path of [`/ai/usage?installationId=${id}`, "/ai/usage", `/ai/telemetry?installationId=${id}`]) {
      const other = await world.b.send("GET", `/api/v1${path}`, { token: world.b.owner.token });
      expect(other.json.items.filter((one: { key?: string }) => one.key !== null)).toEqual([]);
      expect((await scene.send("GET", `/api/v1${path}`, { token: credential })).status).toBe(403);
    }
  });

  it("is the same through fetch", async () => {
    const { credential, usage } = await sender(scene);
    const headers = { authorization: `Bearer ${credential}`, ...PROTOBUF, ...GZIP };
    const request = new Request("http://reeve.example/api/v1/otlp/v1/traces", {
      ...{ method: "POST", headers, body: gzipSync(bytesOf("ai-7-protobuf")) },
    });
    const answer = await world.controlPlane.fetch(request);
    expect([answer?.status, answer?.headers.get("content-type")]).toEqual([200, "application/x-protobuf"]);
    expect((await usage()).totals.modelCalls).toBe(7);
  });
});

describe("a call", () => {
  it("counts once, though two libraries and two exporters tell of it", async () => {
    const { post, usage } = await sender(scene);
    const of = { "gen_ai.response.id": "chatcmpl-1", "gen_ai.usage.input_tokens": 5 };
    const body = ofSpans(span(1, of), span(2, of), span(2, of));
    await post("traces", { body });
    await Promise.all(Array.from({ length: 6 }, () => post("traces", { body })));
    // Another trace, where a server of one's own counts its answers from the start.
    await post("traces", { body: ofSpans(span(1, of, { traceId: "b".repeat(32) })) });
    const { totals } = await usage();
    expect([totals.modelCalls, totals.tokens.input.sum]).toEqual([2, 10]);
  });

  it("adds up, however many exports come at once", async () => {
    const { post, usage, today } = await sender(scene);
    const each = (at: number) => post("traces", { body: ofSpans(span(at, { "gen_ai.usage.output_tokens": 3 })) });
    await Promise.all(Array.from({ length: 24 }, (_, at) => each(at)));
    const { totals } = await usage();
    expect([totals.modelCalls, totals.tokens.output.sum]).toEqual([24, 72]);
    expect(await today()).toMatchObject({ counted: 24, signals: { traces: { exports: 24, records: 24 } } });
  });

  it("is never taken from a whole run, which is said where it is all there is", async () => {
    const { post, usage } = await sender(scene);
    const run = (at: number, traceId: string) =>
      span(at, { "gen_ai.operation.name": "invoke_agent", "gen_ai.usage.input_tokens": 50 }, { traceId });
    const [one, other, third] = ["1", "2", "3"].map((digit) => digit.repeat(32)) as [string, string, string];
    await post("traces", { body: ofSpans(span(1, {}, { traceId: one }), run(2, one)) });
    await post("traces", { body: ofSpans(span(3, {}, { traceId: other })) });
    await post("traces", { body: ofSpans(run(4, other)) });
    await post("traces", { body: ofSpans(run(5, third), run(6, third)) });
    const { totals } = await usage();
    expect(totals).toMatchObject({ modelCalls: 2, runsWithoutCalls: 1 });
    expect(totals.tokens.input).toEqual({ sum: null, unknownCalls: 2 });
  });

  it("is of the day that it was made on, unless its clock is far off", async () => {
    const { post, read, id } = await sender(scene);
    const at = (ms: number) => ({ endTimeUnixNano: String(BigInt(world.clock.now() + ms) * 1_000_000n) });
    await post("traces", {
      body: ofSpans(span(1, {}, at(-DAY)), span(2, {}, at(-30 * DAY)), span(3, {}, at(30 * DAY))),
    });
    const { items } = await read(`/ai/usage?groupBy=day&installationId=${id}`);
    const today = new Date(world.clock.now()).toISOString().slice(0, 10);
    const before = new Date(world.clock.now() - DAY).toISOString().slice(0, 10);
    expect(items.map(({ key, modelCalls }: Record<string, unknown>) => [key, modelCalls])).toEqual([
      [before, 1],
      [today, 2],
    ]);
  });
});

describe("usage", () => {
  it("is summed up by each group, of the tenant and of one team", async () => {
    const team = scene.unique();
    const [one, other] = [await sender(scene, "sdk", { team }), await sender(scene, "sdk", { team })];
    const model = scene.unique();
    for (const { post } of [one, other])
      await post("traces", { body: ofSpans(span(1, { "gen_ai.request.model": model }, { status: { code: 2 } })) });
    const ofModel = (items: Record<string, unknown>[]) => items.find(({ key }) => key === model);
    expect(ofModel((await one.read("/ai/usage")).items)).toMatchObject({
      modelCalls: 2,
      failed: 2,
      provider: "openai",
    });
    const teams = (await one.read("/ai/usage?groupBy=team")).items;
    expect(teams.find(({ key }: { key: string }) => key === team)).toMatchObject({ modelCalls: 2 });
    const agents = (await one.read("/ai/usage?groupBy=agent")).items;
    expect(agents.find(({ key }: { key: string }) => key === one.agentId)).toMatchObject({
      ...{ modelCalls: 1, costUsd: { sum: null, unknownCalls: 1 } },
      milliseconds: { mean: 500, longest: 500, unknownCalls: 0 },
    });
    for (const query of ["groupBy=x", "from=2026-01-02&to=2026-01-01", "from=2020-01-01&to=2026-01-01", "from=1"])
      expect((await scene.send("GET", `/api/v1/ai/usage?${query}`, { token: scene.owner.token })).status).toBe(400);
  });

  it("is kept for 400 days", async () => {
    const ended = await createWorld({ tokenLifetime: 86_400 });
    const { post, id } = await sender(ended.a);
    await post("traces", { body: ofSpans(span(1)) });
    const rows = async () =>
      (
        await ended.store
          .forTenant(ended.a.tenantId)
          .find(usageRows, { where: { installationId: id }, order: { by: "day" }, size: 10 })
      ).rows;
    ended.clock.advance(399 * DAY);
    await ended.controlPlane.tick();
    expect(await rows()).toHaveLength(1);
    ended.clock.advance(3 * DAY);
    await ended.controlPlane.tick();
    expect(await rows()).toHaveLength(0);
  });
});

describe("a limit", () => {
  it("of calls drops what goes beyond it in an export and a day, and says so", async () => {
    const { post, today } = await sender(scene);
    const spans = (from: number, count: number) =>
      ofSpans(...Array.from({ length: count }, (_, at) => span(from + at)));
    const first = await post("traces", {
      bytes: gzipSync(JSON.stringify(spans(0, LIMITS.callsOfExport + 3))),
      headers: { "content-type": "application/json", ...GZIP },
    });
    expect(first.json.partialSuccess).toMatchObject({
      rejectedSpans: "3",
      errorMessage: expect.stringMatching(/limit/),
    });
    expect(await today()).toMatchObject({
      ...{ counted: LIMITS.callsOfExport, dropped: [{ reason: "too_many_calls", count: 3 }] },
    });
  });

  it("of names drops calls of further ones, and counts the known", async () => {
    const { post, today, usage } = await sender(scene);
    const named = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => span(from + at, { "gen_ai.request.model": `model-${from + at}` }));
    await post("traces", { body: ofSpans(...named(0, LIMITS.names - 1)) });
    const more = await post("traces", {
      body: ofSpans(...named(1_000, 5), span(5_000, { "gen_ai.request.model": "model-0" })),
    });
    expect(more.json.partialSuccess).toMatchObject({
      rejectedSpans: "4",
      errorMessage: expect.stringMatching(/200 models/),
    });
    expect(await today()).toMatchObject({ names: LIMITS.names, dropped: [{ reason: "too_many_names", count: 4 }] });
    expect((await usage()).groups).toBe(LIMITS.names);
  });
});

describe("what calls name", () => {
  const toolCall = (at: number, server: string, tool: string) =>
    span(at, { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool, "mcp.server.name": server });

  it("becomes a sighting once, which nobody has approved", async () => {
    const { post, read } = await sender(scene);
    const [model, server, tool] = [scene.unique(), scene.unique(), scene.unique()];
    const body = ofSpans(
      span(1, { "gen_ai.request.model": model }),
      toolCall(2, server, tool),
      toolCall(3, server, tool),
    );
    await post("traces", { body });
    const assets = async () => {
      const found = await Promise.all([model, server].map((name) => read(`/ai-assets?search=${name}`)));
      return found.flatMap(({ items }) => items);
    };
    const kinds = (await assets()).map(({ assetType, status, governanceState, source }) => [
      assetType,
      status,
      governanceState,
      source,
    ]);
    expect(kinds.sort()).toEqual([
      ["mcp_server", "discovered", "unreviewed", "discovery"],
      ["model", "discovered", "unreviewed", "discovery"],
      ["tool", "discovered", "unreviewed", "discovery"],
    ]);
    const before = await headOf(scene);
    world.clock.advance(DAY * 0.7);
    const other = await sender(scene);
    await other.post("traces", { body });
    expect(await assets()).toHaveLength(3);
    expect((await headOf(scene)) - before).toBeLessThan(8);
  });

  it("says which agent calls, and one that is not registered becomes a sighting too", async () => {
    const { post, read, today } = await sender(scene);
    const [known, agent] = [scene.unique(), scene.unique()];
    const { id } = (
      await scene.send("POST", "/api/v1/ai-assets", {
        token: scene.owner.token,
        body: { name: known, assetType: "agent" },
      })
    ).json;
    const run = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": agent };
    const spans = [run, { "gen_ai.agent.name": agent }, { "gen_ai.agent.name": known.toUpperCase() }];
    await post("traces", { body: ofSpans(...spans.map((one, at) => span(at, one))) });
    const found = async (name: string) => (await read(`/ai-assets?search=${name}`)).items;
    expect(await found(agent)).toMatchObject([
      { assetType: "agent", status: "discovered", governanceState: "unreviewed", source: "discovery" },
    ]);
    expect(await found(known)).toMatchObject([{ id, lastSeenAt: expect.any(String) }]);
    const { names } = await today();
    // Neither the same agent again, nor a mail address in place of a name.
    const later = [{ "gen_ai.agent.name": agent }, { "gen_ai.agent.name": "ada@acme.example" }];
    await post("traces", { body: ofSpans(...later.map((one, at) => span(10 + at, one))) });
    expect(await found(agent)).toHaveLength(1);
    expect(await found("ada@acme.example")).toEqual([]);
    expect((await today()).names).toBe(names);
  });

  it("names no more new agents a day than other new things", async () => {
    const { post, today, read } = await sender(scene);
    const mark = scene.unique();
    for (let round = 0; round < 5; round += 1)
      await post("traces", {
        body: ofSpans(
          ...Array.from({ length: 60 }, (_, at) =>
            span(round * 60 + at, { "gen_ai.agent.name": `${mark}-${round * 60 + at}` }),
          ),
        ),
      });
    expect((await today()).names).toBe(LIMITS.names);
    expect((await read(`/ai-assets?search=${mark}&size=1`)).totalItems).toBe(LIMITS.names - 1);
  });

  it("is no sighting where the inventory has it, by name, alias or id at the provider", async () => {
    const { post, read } = await sender(scene);
    const [alias, modelId, name] = [scene.unique(), scene.unique(), scene.unique()];
    for (const body of [{ name: scene.unique(), aliases: [alias] }, { name: scene.unique(), modelId }, { name }])
      expect((await scene.send("POST", "/api/v1/ai/models", { token: scene.owner.token, body })).status).toBe(201);
    const count = async () => (await read("/ai/models?size=1")).totalItems;
    const before = await count();
    const spans = [alias, modelId, name.toUpperCase()].map((model, at) => span(at, { "gen_ai.request.model": model }));
    await post("traces", { body: ofSpans(...spans) });
    expect(await count()).toBe(before);
  });

  it("is a finding where it was not published to the installation", async () => {
    const { post, read, agentId, id } = await sender(scene, "codex");
    const server = scene.unique();
    await post("traces", { body: ofSpans(toolCall(1, `${server}-a`, "echo")) });
    const findings = async () => (await read(`/ai-governance/findings?assetId=${agentId}`)).items;
    expect(await findings()).toEqual([]);
    await newPublication(scene, agentId);
    await post("traces", { body: ofSpans(toolCall(2, `${server}-b`, "echo"), toolCall(3, `${server}-b`, "other")) });
    const [finding, ...others] = await findings();
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      ...{ ruleKey: "unpublished_server_used", status: "open", assetId: agentId },
      evidence: { values: { installationId: id, server: `${server}-b` } },
    });
  });
});
