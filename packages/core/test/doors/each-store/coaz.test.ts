import type { Actor, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { ulidSource } from "#testing/index.js";
import { createWorld } from "../../helpers/world.js";

const ISSUED = { sub: "alice@example.com", client_id: "agent-app", iss: "https://auth.example.com" };
const reason = "because a test wants it so";

let world: World;
let pep: Actor;
let server: { readonly id: string; readonly name: string; readonly assetId: string };
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400, ids: ulidSource() });
  pep = world.a.actors.operator;
  const id = await world.a.newMcpServer();
  const { name, assetId } = await read(`/api/v1/ai/mcp-servers/${id}`);
  server = { id, name, assetId };
});

const send = (method: string, path: string, body?: object, as: Actor = world.a.owner) =>
  world.send(method, path, { token: as.token, ...(body ? { body } : {}) });
const read = async (path: string) => (await send("GET", path)).json;
const ask = async (method: string, params: object = {}, more: object = {}, as = pep) => {
  const message = { jsonrpc: "2.0", id: 7, method, params };
  const answer = await send("POST", "/access/v1/mcp", { server: server.name, message, token: ISSUED, ...more }, as);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};

/** The ids of tools by their names. */
const ids = new Map<string, string>();

/** A tool of the server that declares a mapping. */
async function toolWith(mapping?: unknown): Promise<string> {
  const toolName = world.a.unique();
  const inputSchema = { type: "object", ...(mapping === undefined ? {} : { "x-authzen-mapping": mapping }) };
  ids.set(toolName, await world.a.newTool({ origin: "mcp", serverId: server.id, toolName, inputSchema }));
  return toolName;
}

const asks = (action: string, resource: object, more: object = {}) => ({
  evaluation: { subject: { type: "identity", id: "$token.sub" }, action: { name: action }, resource, ...more },
});

/** Lets what a condition says be done. */
async function allow(condition: string): Promise<void> {
  const name = world.a.unique();
  await world.a.newPolicy("runtime", {
    rules: [{ key: "r", effect: "allow", if: condition, message: name }],
    ...{ tests: [{ name, input: {}, expect: "none", rule: "none" }], status: "active" },
  });
}

const call = (name: string, args: object = {}, more: object = {}, as = pep) =>
  ask("tools/call", { name, arguments: args }, more, as);
const codeOf = ({ response }: { response?: { error: { code: number } } }) => response?.error.code;

describe("a message", () => {
  it("is asked about by the default mapping of its method", async () => {
    const tool = await toolWith();
    await allow(
      `action.name == "tools/call" && resource.type == "tool" && has(action.properties.n) && action.properties.n == 1 && subject.type == "user" && subject.id == "${ISSUED.sub}" && context.agent == "agent-app"`,
    );
    const answer = await call(tool, { n: 1 });
    expect([answer.decision, answer.mapping, answer.evaluations.length, answer.response]).toEqual([
      true,
      "default",
      1,
      undefined,
    ]);
    expect(answer.evaluations[0].context.reasons[0].code).toBe("policy_allow");
    const denied = await call(tool, { n: 2 });
    expect(denied).toMatchObject({
      decision: false,
      response: { jsonrpc: "2.0", id: 7, error: { code: -32_001, message: expect.stringContaining("Access denied") } },
    });
  });

  it("of a method for the whole server is about the server, by its name or by the token", async () => {
    await allow('action.name in ["tools/list", "initialize"] && resource.type == "mcp_server"');
    const { url } = await read(`/api/v1/ai/mcp-servers/${server.id}`);
    for (const more of [{}, { server: server.assetId }, { server: undefined, token: { ...ISSUED, aud: [url] } }])
      expect((await ask("tools/list", {}, more)).decision).toBe(true);
    expect((await ask("initialize", { protocolVersion: "2025-11-25" })).decision).toBe(true);
    // A mapping that reads what is not there cannot be applied, and neither can several audiences.
    expect(codeOf(await ask("initialize"))).toBe(-32_602);
    const twice = { server: undefined, token: { ...ISSUED, aud: ["https://a.example", "https://b.example"] } };
    expect(codeOf(await ask("tools/list", {}, twice))).toBe(-32_602);
  });

  it("passes, is denied or cannot be mapped, as its method and its token are", async () => {
    const passed = { decision: true, mapping: "pass_through", evaluations: [] };
    expect(await ask("ping")).toEqual(passed);
    expect(await ask("notifications/initialized", {}, { message: { method: "notifications/initialized" } })).toEqual(
      passed,
    );
    // One with an id is a request under another name.
    expect(codeOf(await ask("notifications/initialized"))).toBe(-32_001);
    const unknown = await ask("resources/made-up");
    expect([unknown.decision, unknown.mapping, codeOf(unknown)]).toEqual([false, "none", -32_001]);
    const nobody = await ask("tools/list", {}, { token: { client_id: "agent-app" } });
    expect([nobody.decision, codeOf(nobody)]).toEqual([false, -32_602]);
  });

  it("that completes something is about the prompt or the resource, of which prompts are in the register", async () => {
    const name = world.a.unique();
    await allow(`action.name == "completion/complete" && resource.type in ["prompt", "resource"]`);
    const complete = async (ref: object) => (await ask("completion/complete", { ref })).decision;
    expect(await complete({ type: "ref/resource", uri: "file:///a" })).toBe(true);
    expect(await complete({ type: "ref/prompt", name })).toBe(false);
    await world.a.newAsset({ assetType: "prompt", name });
    expect(await complete({ type: "ref/prompt", name })).toBe(true);
    expect(codeOf(await ask("completion/complete", {}))).toBe(-32_602);
  });
});

describe("a declared mapping", () => {
  it("is asked beside the tool itself, with literals, expressions and members that may be absent", async () => {
    const tool = await toolWith({
      evaluation: {
        subject: {
          type: "$token.?roles.orValue([]).exists(r, r == 'treasury') ? 'treasury_user' : 'standard_user'",
          id: "$token.sub",
        },
        action: { name: "$params.arguments.currency == 'USD' ? 'domestic' : 'international'" },
        resource: {
          type: "account",
          id: "$params.arguments.from",
          properties: { sensitivity: "$params.arguments.amount > 10000 ? 'high' : 'standard'", price: "$$5" },
        },
        context: { agent: "someone else", case: "$params.arguments.?case", supported_obligations: ["step-up"] },
      },
    });
    await allow('action.name == "tools/call" && resource.type == "tool"');
    await allow(
      'action.name == "domestic" && subject.type == "standard_user" && resource.id == "a1" && resource.properties.sensitivity == "high" && resource.properties.price == "$5" && context.agent == "agent-app" && !has(context.case) && !has(context.supported_obligations)',
    );
    const args = { currency: "USD", from: "a1", amount: 20_000.5 };
    const answer = await call(tool, args);
    expect([answer.decision, answer.mapping, answer.evaluations.length]).toEqual([true, "declared", 2]);
    expect((await call(tool, { ...args, amount: 9 })).decision).toBe(false);
    expect((await call(tool, { ...args, case: "c" })).decision).toBe(false);
    const missing = await call(tool, { currency: "USD" });
    expect(missing.response.error).toEqual({
      code: -32_602,
      message: expect.stringMatching(/^COAZ mapping error: "\$params\.arguments\.\w+" has no value\./),
    });
  });

  it("may ask several questions, all of which must be allowed", async () => {
    const [one, two] = [world.a.unique(), world.a.unique()];
    const tool = await toolWith({
      evaluations: {
        subject: { id: "$token.sub" },
        evaluations: [
          { action: { name: one }, resource: { type: "object", id: "$params.arguments.source" } },
          { action: { name: two }, resource: { type: "object", id: "$params.arguments.destination" } },
        ],
      },
    });
    const args = { source: "/a", destination: "/b" };
    await allow('action.name == "tools/call" && resource.type == "tool"');
    await allow(`action.name == "${one}" && resource.id == "/a"`);
    expect((await call(tool, args)).evaluations.map(({ decision }: { decision: boolean }) => decision)).toEqual([
      true,
      true,
      false,
    ]);
    await allow(`action.name == "${two}" && resource.id == "/b" && subject.id == "${ISSUED.sub}"`);
    expect((await call(tool, args)).decision).toBe(true);
  });

  it("leads around no stop of the tool", async () => {
    const name = world.a.unique();
    const tool = await toolWith(asks(name, { type: "thing", id: "x" }));
    await allow('action.name == "tools/call" && resource.type == "tool"');
    await allow(`action.name == "${name}"`);
    expect((await call(tool)).decision).toBe(true);
    const { assetId } = await read(`/api/v1/ai/tools/${ids.get(tool)}`);
    await send("PATCH", `/api/v1/ai-assets/${assetId}/governance-state`, { status: "suspended", reason });
    const stopped = await call(tool);
    expect([codeOf(stopped), stopped.evaluations[0].context.reasons[0].code]).toEqual([-32_001, "asset_denied"]);
  });

  it("is not applied to a tool that has drifted, not even where the drift took it away", async () => {
    const [at, name] = [`https://${world.a.unique()}.example/mcp`, world.a.unique()];
    const id = await world.a.newMcpServer({ url: at, auth: { type: "none" } }, pep);
    const { name: of } = await read(`/api/v1/ai/mcp-servers/${id}`);
    const offers = (tool: string, mapping?: object) => ({
      ...{ name: tool, description: `Does ${tool}.` },
      inputSchema: { type: "object", ...(mapping ? { "x-authzen-mapping": mapping } : {}) },
    });
    const scan = async (...tools: object[]) => {
      world.mcp.report(at, { tools: tools as never });
      return (await send("POST", `/api/v1/ai/mcp-servers/${id}/scan`)).json;
    };
    const mapping = (type: string) => asks(name, { type, id: "$params.arguments.who" });
    const { manifest } = await scan(offers("pay", mapping("account")), offers("look"));
    const approval = { manifestDigest: manifest.current };
    expect((await send("POST", `/api/v1/ai/mcp-servers/${id}/tools/approve`, approval)).status).toBe(200);
    await allow('action.name == "tools/call" && resource.type == "tool"');
    await allow(`action.name == "${name}" && resource.type in ["account", "anything"]`);
    const pay = async (tool = "pay") => {
      const { decision, mapping: by } = await call(tool, { who: "ada" }, { server: of });
      return [decision, by];
    };
    expect([await pay(), await pay("look")]).toEqual([
      [true, "declared"],
      [true, "default"],
    ]);
    expect((await scan(offers("pay", mapping("anything")), offers("look"))).manifest.state).toBe("drifted");
    const { items } = await read(`/api/v1/ai/mcp-servers/${id}/drift`);
    expect(items[0].changes).toEqual([
      {
        ...{ pointer: "/inputSchema/x-authzen-mapping/evaluation/resource/type", rule: "mapping", severity: "high" },
        ...{ before: "account", after: "anything" },
      },
    ]);
    expect(await pay()).toEqual([false, "declared"]);
    await scan(offers("pay"), offers("look"));
    // The whole server waits for a review, as long as one of its tools does.
    expect([await pay(), await pay("look")]).toEqual([
      [false, "default"],
      [false, "default"],
    ]);
    await scan(offers("pay", mapping("account")), offers("look"));
    expect(await pay()).toEqual([true, "declared"]);
  });

  it("stops with the agent that the token was issued to, who is no party of the questions", async () => {
    const tool = await toolWith();
    await allow('action.name == "tools/call" && resource.type == "tool"');
    const agent = await world.a.newAsset({ assetType: "agent", name: world.a.unique() });
    const { name } = await read(`/api/v1/ai-assets/${agent}`);
    const token = { ...ISSUED, client_id: name };
    expect((await call(tool, {}, { token })).decision).toBe(true);
    await send("PATCH", `/api/v1/ai-assets/${agent}/governance-state`, { status: "suspended", reason });
    const stopped = await call(tool, {}, { token });
    expect([codeOf(stopped), stopped.evaluations]).toEqual([-32_001, []]);
    expect((await call(tool)).decision).toBe(true);
  });

  it.each([
    ["no envelope", {}],
    ["two envelopes", { evaluation: {}, evaluations: {} }],
    ["an unknown envelope", { search: {} }],
    ["no resource", { evaluation: { action: { name: "a" } } }],
    ["an attribute beside the properties", asks("a", { type: "t", id: "i", owner: "$token.sub" })],
    ["a member that no request has", asks("a", { type: "t", id: "i" }, { because: "x" })],
    ["an expression that is none", asks("a", { type: "t", id: "$params.$x" })],
    ["a name that there is not", asks("a", { type: "t", id: "$request.id" })],
    ["a function that may not end", asks("a", { type: "t", id: "$params.name.matches('(a+)+$') ? 'a' : 'b'" })],
    [
      "a subject of one question",
      {
        evaluations: {
          evaluations: [{ subject: { id: "x" }, action: { name: "a" }, resource: { type: "t", id: "i" } }],
        },
      },
    ],
    ["a value that JSON has not", asks("a", { type: "t", id: "$timestamp('2020-01-01T00:00:00Z')" })],
    ["another subject than the token", asks("a", { type: "t", id: "i" }, { subject: { id: "$params.arguments.who" } })],
    ["null in place of what is required", asks("a", { type: "t", id: "$null" })],
    ["a list in place of an id", asks("a", { type: "t", id: "$[params.name]" })],
  ])("with %s denies the call", async (_what, mapping) => {
    const tool = await toolWith(mapping);
    await allow("true");
    const answer = await call(tool, { who: "root" });
    expect([answer.decision, answer.mapping, codeOf(answer)]).toEqual([false, "declared", -32_602]);
    expect(answer.evaluations).toEqual([]);
  });

  it("that is malformed is a warning of the drift, and so is one with another subject", async () => {
    const at = `https://${world.a.unique()}.example/mcp`;
    const id = await world.a.newMcpServer({ url: at, auth: { type: "none" } });
    const offers = (name: string, mapping: object) => ({
      ...{ name, description: `Does ${name}.` },
      inputSchema: { type: "object", "x-authzen-mapping": mapping },
    });
    const good = asks("a", { type: "t", id: "i" });
    const tools = [
      offers("one", good),
      offers("two", {}),
      offers("three", { evaluation: { ...good.evaluation, subject: "$params" } }),
    ];
    world.mcp.report(at, { tools });
    await send("POST", `/api/v1/ai/mcp-servers/${id}/scan`);
    const { warnings } = await read(`/api/v1/ai/mcp-servers/${id}/drift`);
    expect(warnings.map(({ code, pointer }: { code: string; pointer: string }) => [code, pointer])).toEqual([
      ["mapping_malformed", "/tools/1/inputSchema/x-authzen-mapping"],
      ["mapping_subject", "/tools/2/inputSchema/x-authzen-mapping"],
    ]);
  });

  it("is not asked for a tool that is called like the id of another", async () => {
    const allowed = await world.a.newTool({ origin: "mcp", serverId: server.assetId, toolName: world.a.unique() });
    const { assetId } = await read(`/api/v1/ai/tools/${allowed}`);
    await allow("true");
    expect(codeOf(await call(assetId))).toBe(-32_001);
  });

  it("of another tenant's tool is not found", async () => {
    const tool = await toolWith(asks("a", { type: "t", id: "i" }));
    const answer = await call(tool, {}, {}, world.b.owner);
    expect([answer.decision, answer.mapping, answer.evaluations[0].context.reasons[0].code]).toEqual([
      false,
      "default",
      "asset_unknown",
    ]);
  });

  it("takes approvals from the enforcement point, bound to the arguments of the call", async () => {
    const tool = await toolWith();
    const name = world.a.unique();
    await world.a.newPolicy("runtime", {
      rules: [{ key: "r", effect: "require_approval", message: name, if: 'action.name == "tools/call"' }],
      ...{ tests: [{ name, input: {}, expect: "none", rule: "none" }], status: "active" },
    });
    const waiting = await call(tool, { n: 41 });
    const { id } = waiting.evaluations[0].context.approval;
    const path = `/api/v1/ai-governance/approvals/${id}/approve`;
    expect((await send("PATCH", path, { reason })).status).toBe(200);
    const context = { approval: { id } };
    const other = await call(tool, { n: 42 }, { context });
    expect(other.evaluations[0].context.reason).toBe("out_of_scope");
    expect((await call(tool, { n: 41 }, { context })).decision).toBe(true);
  });
});
