import { collections } from "@reeve/core/reference";
import type { Scene, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { mayPass } from "#families/enforcement/telemetry/read/allowed-attributes.js";
import { createWorld } from "../../helpers/world.js";
import { RECORDINGS, recordingOf } from "../telemetry/recordings.js";
import { ofSpans, sender as senderOf, span } from "../telemetry/sender.js";

let world: World;
let scene: Scene;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  scene = world.a;
});

const done = async (answer: ReturnType<World["send"]>) => {
  const { status, json, text } = await answer;
  expect(status, text).toBeLessThan(300);
  return json;
};
const asOwner = (path: string) => done(world.send("GET", `/api/v1${path}`, { token: scene.owner.token }));

const sender = (client?: string) => senderOf(scene, client);

const TOKENS = { input: 11, output: 7, cached: 3, reasoning: 2 };

/** What each sends of the tokens of its calls, and how many calls of tools it tells of. */
const TELLS: Readonly<
  Record<string, { told: (keyof typeof TOKENS)[]; tools: number; failed: number; streams?: false }>
> = {
  "claude-code": { told: ["input", "output", "cached"], tools: 2, failed: 0 },
  "claude-code-details": { told: ["input", "output", "cached"], tools: 2, failed: 0 },
  codex: { told: ["input", "output", "cached", "reasoning"], tools: 2, failed: 0 },
  "gemini-cli": { told: ["input", "output", "cached", "reasoning"], tools: 2, failed: 0 },
  copilot: { told: ["input", "output", "cached", "reasoning"], tools: 2, failed: 0 },
  "ai-6": { told: ["input", "output", "cached", "reasoning"], tools: 2, failed: 2 },
  "ai-7": { told: ["input", "output", "cached"], tools: 2, failed: 2 },
  "ai-7-legacy": { told: ["input", "output", "cached", "reasoning"], tools: 2, failed: 2 },
  "ai-7-protobuf": { told: ["input", "output", "cached"], tools: 2, failed: 2 },
  traceloop: { told: ["input", "output"], tools: 0, failed: 0, streams: false },
  openinference: { told: ["input", "output", "cached", "reasoning"], tools: 0, failed: 0, streams: false },
  opentelemetry: { told: ["input", "output"], tools: 0, failed: 1 },
  mastra: { told: ["input", "output", "cached", "reasoning"], tools: 1, failed: 0 },
};

describe.each(RECORDINGS)("what $name sends", (recording) => {
  const { name, counted } = recording;

  it("is counted as the model has counted it, or unknown", async () => {
    const { send, usage } = await sender();
    await send(recording);
    const { told, tools, failed, streams } = TELLS[name] ?? { told: [], tools: 0, failed: 0 };
    const { totals } = await usage();
    // Some send nothing of a call that was refused, and all of them no tokens of it.
    const refused = failed === 0 ? 0 : counted.filter(({ isRefused }) => isRefused).length;
    const answered = counted.filter(({ isRefused }) => !isRefused);
    const telling = streams === false ? answered.filter(({ isStream }) => !isStream) : answered;
    expect(totals).toMatchObject({
      modelCalls: answered.length + refused,
      toolCalls: tools,
      runsWithoutCalls: 0,
      failed,
    });
    for (const [part, each] of Object.entries(TOKENS)) {
      const isTold = (told as string[]).includes(part);
      const unknownCalls = totals.modelCalls - (isTold ? telling.length : 0);
      expect([part, totals.tokens[part]]).toEqual([part, { sum: isTold ? each * telling.length : null, unknownCalls }]);
    }
  });

  it("is counted once, though it comes three times", async () => {
    const { send, usage } = await sender();
    await send(recording);
    const first = await usage("tool");
    await Promise.all([send(recording), send(recording)]);
    expect(await usage("tool")).toEqual(first);
  });
});

/** Everything that is stored of a tenant: its records of every kind, and its events. */
async function everythingStored(): Promise<string> {
  const reader = world.store.forTenant(scene.tenantId);
  const texts: string[] = [];
  for (const collection of collections.filter(({ scope }) => scope === "tenant")) {
    let after: string | undefined;
    do {
      const rows = await reader.scan(collection, { size: 1_000, ...(after === undefined ? {} : { after }) });
      texts.push(...rows.map(({ text }) => text));
      after = rows.length === 1_000 ? rows.at(-1)?.id : undefined;
    } while (after !== undefined);
  }
  let last = 0;
  for (let events = await reader.scanEvents({ size: 1_000 }); events.length > 0; ) {
    texts.push(...events.map((event) => JSON.stringify(event)));
    last = events.at(-1)?.sequence ?? 0;
    events = await reader.scanEvents({ after: last, size: 1_000 });
  }
  return texts.join("\n");
}

/** The export with a canary in every place that is not listed, and more of them beside. */
function withCanaries(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withCanaries);
  if (typeof body !== "object" || body === null) return body;
  const { key } = body as { key?: unknown };
  if (typeof key === "string") return mayPass(key) ? body : { key, value: { stringValue: `canary of ${key}` } };
  const inner = Object.entries(body).map(([name, value]) => [name, withCanaries(value)] as const);
  const own = Object.fromEntries(inner);
  if (!Array.isArray(own.attributes)) return own;
  const more = ["gen_ai.input.messages", "user.email", "prompt", "code.file.path"].map((name) => ({
    ...{ key: name, value: { stringValue: `canary of ${name}` } },
  }));
  const isRecord = "spanId" in own || "timeUnixNano" in own;
  const texts = {
    body: { stringValue: "canary of a body" },
    events: [{ name: "canary of an event", attributes: more }],
  };
  return { ...own, attributes: [...own.attributes, ...more], ...(isRecord ? texts : {}) };
}

describe("an export", () => {
  it("leaves nothing of prompts, answers, arguments, people and paths in the store", async () => {
    const { send, usage, id } = await sender("codex");
    for (const { exports } of RECORDINGS) {
      const bodies = exports.flatMap(({ path, body }) => (body ? [{ path, body: withCanaries(body) as object }] : []));
      if (bodies.length > 0) expect(JSON.stringify(bodies)).toContain("canary of");
      await send({ exports: [...bodies, ...exports.filter(({ base64 }) => base64)] });
    }
    expect((await usage()).totals.modelCalls).toBeGreaterThan(40);
    const stored = await everythingStored();
    expect(stored).toContain(id);
    expect(stored.match(/.{0,80}canary.{0,80}/gi)).toBeNull();
    const { items } = await asOwner(`/ai/telemetry?installationId=${id}`);
    expect(items[0].droppedAttributes).toBeGreaterThan(1_000);
  });

  it("names nobody and no place, though a model or a tool is called after one", async () => {
    const { post, usage } = await sender();
    const names = [
      "/home/canary/models/llama.gguf",
      "C:\\canary\\x",
      "canary@example.org",
      "ghp_canary0000000000000000000",
    ];
    const spans = [...names, "fine"].map((model, at) => span(at, { "gen_ai.request.model": model }));
    expect((await post("traces", { body: ofSpans(...spans) })).status).toBe(200);
    const { items } = await usage();
    const keys = items.map(({ key }: { key: string | null }) => key);
    expect(keys.sort()).toEqual(["fine", "llama.gguf", null].sort());
    expect(await everythingStored()).not.toMatch(/canary@|ghp_canary|home\/canary/);
  });
});

describe("the usage of an installation", () => {
  it("names tools and servers where the client does", async () => {
    const namesOf = async (name: string) => {
      const { send, usage } = await sender();
      await send(recordingOf(name));
      const { items } = await usage("tool");
      return items
        .flatMap(({ key, server, toolCalls }: Record<string, unknown>) => (toolCalls ? [[key, server]] : []))
        .sort();
    };
    expect(await namesOf("claude-code")).toEqual([
      [null, null],
      ["Bash", null],
    ]);
    expect(await namesOf("claude-code-details")).toEqual([
      ["Bash", null],
      ["echo", "files"],
    ]);
    expect(await namesOf("codex")).toEqual([
      ["echo", "files"],
      ["exec_command", null],
    ]);
    expect(await namesOf("gemini-cli")).toEqual([
      ["echo", "files"],
      ["run_shell_command", null],
    ]);
  });

  it("reads the names of Copilot by the servers that the agent uses", async () => {
    const { send, usage, agentId } = await sender("copilot");
    const file = recordingOf("copilot");
    await send(file);
    const unknown = (await usage("server")).items.map(({ key }: { key: string }) => key);
    expect(unknown).toContainEqual(expect.stringMatching(/^sha256:[0-9a-f]{12}$/));
    const server = await done(
      world.send("POST", "/api/v1/ai/mcp-servers", {
        token: scene.owner.token,
        body: { name: "Files", url: `https://mcp.example/${scene.unique()}` },
      }),
    );
    const tool = { name: scene.unique(), serverId: server.assetId, toolName: "echo", origin: "mcp" };
    await done(world.send("POST", "/api/v1/ai/tools", { token: scene.owner.token, body: tool }));
    const agent = (await asOwner(`/ai/agents?assetId=${agentId}`)).items[0];
    const uses = { mcpServerIds: [server.assetId] };
    await done(world.send("PUT", `/api/v1/ai/agents/${agent.id}`, { token: scene.owner.token, body: uses }));
    const again = JSON.parse(JSON.stringify(file).replaceAll(/"traceId":"../g, '"traceId":"ff'));
    await send(again);
    expect((await usage("tool")).items).toContainEqual(
      expect.objectContaining({ key: "echo", server: "files", toolCalls: 1 }),
    );
  });
});
