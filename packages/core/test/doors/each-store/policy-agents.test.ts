import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let token: string;
let toolName: string;
let serverName: string;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  token = world.a.actors.governance_officer.token;
  const server = await world.a.newMcpServer();
  serverName = (await world.send("GET", `/api/v1/ai/mcp-servers/${server}`, { token: world.a.owner.token })).json.name;
  toolName = world.a.unique();
  await world.a.newTool({ origin: "mcp", serverId: server, toolName });
  await world.a.newPolicy("runtime", {
    rules: [
      {
        ...{ key: "small", effect: "allow", message: "Small refunds pass." },
        if: 'action.name == "tools/call" && has(action.properties.amount) && action.properties.amount < 10',
      },
      {
        key: "read",
        effect: "allow",
        message: "Reports are read.",
        if: 'action.name == "GET" && resource.id == "/reports"',
      },
    ],
    tests: [{ name: "small", input: { action: { name: "tools/call", properties: { amount: 5 } } }, expect: "allow" }],
    status: "active",
  });
});
const post = (path: string, body: object, as = token) => world.send("POST", path, { token: as, body });

describe("ToolHive", () => {
  const porc = (more: object = {}) => ({
    principal: { sub: "ada@acme.example", mroles: ["clerk"] },
    operation: "mcp:tool:call",
    resource: `mrn:mcp:${serverName}:tool:${toolName}`,
    context: { mcp: { args: { amount: 5 } } },
    ...more,
  });
  const decide = async (body: object) => (await post("/decision", body)).json;

  it("is told what a decision says of the tool of that server with those arguments", async () => {
    expect(await decide(porc())).toMatchObject({ allow: true, decisionId: expect.stringMatching(/^dec_/) });
    expect(await decide(porc({ context: { mcp: { args: { amount: 50 } } } }))).toMatchObject({ allow: false });
  });

  it.each([
    ["no caller", { principal: {} }],
    ["an operation that is none", { operation: "mcp:tool:destroy" }],
    ["a name of another form", { resource: "weather" }],
    ["a server of nobody", { resource: "mrn:mcp:nowhere:tool:read" }],
  ])("is denied with %s", async (_what, more) => {
    expect(await decide(porc(more))).toMatchObject({ allow: false });
  });
});

describe("Open Policy Agent", () => {
  const input = {
    subject: { type: "user", id: "ada" },
    action: { name: "GET" },
    resource: { type: "route", id: "/reports" },
  };

  it("gives a truth for the rule allow, and a document for others", async () => {
    expect((await post("/v1/data/reeve/allow", { input })).json).toEqual({ result: true });
    expect((await post("/v1/data/reeve/decision", { input })).json).toMatchObject({
      result: { allow: true, reasons: ["Reports are read."] },
    });
  });

  it("denies what is no question, and says why in a document", async () => {
    expect((await post("/v1/data/reeve/allow", { input: { user: "ada" } })).json).toEqual({ result: false });
    expect((await post("/v1/data/reeve/allow", {})).json).toEqual({ result: false });
    const { json } = await post("/v1/data/reeve/decision", { input: { ...input, subject: { type: "user" } } });
    expect(json.result).toMatchObject({ allow: false, reasons: [expect.stringContaining("/subject/id")] });
  });
});

describe("a proxy", () => {
  const ROUTE = { "x-forwarded-method": "GET", "x-forwarded-uri": "/reports" };
  const ask = (headers: Record<string, string | readonly string[]>, as = token) =>
    world.send("GET", "/forward-auth?x=1", { token: as, headers });

  it("is answered by status, and each decision has one event", async () => {
    const before = (await eventsOf(world.a)).length;
    const passed = await ask({ "x-forwarded-method": "GET", "x-forwarded-uri": "/reports?year=2026" });
    expect([passed.status, passed.json.decision]).toEqual([200, true]);
    const denied = await ask({ "x-original-method": "DELETE", "x-original-uri": "/reports" });
    expect([denied.status, denied.json.code]).toEqual([403, "decision_denied"]);
    expect((await eventsOf(world.a)).length).toBe(before + 2);
  });

  it.each([
    ["without a word of what is asked", {}],
    ["with a method and no path", { "x-forwarded-method": "GET" }],
    ["with the call of a tool without a name", { "mcp-method": "tools/call", "x-reeve-server": "Files" }],
    ["with a method of a server that it does not name", { "mcp-method": "tools/list" }],
    ["with such a call on a route that is allowed", { "mcp-method": "tools/call", ...ROUTE }],
    ["with a method that was sent twice, on such a route", { "mcp-method": ["tools/list", "tools/call"], ...ROUTE }],
  ])("is denied %s", async (_what, headers) => {
    expect((await ask(headers)).status).toBe(403);
  });

  it("is denied for those who may not ask, and without a token", async () => {
    const headers = { "x-forwarded-method": "GET", "x-forwarded-uri": "/reports" };
    expect((await ask(headers, world.a.actors.auditor.token)).status).toBe(403);
    expect((await world.send("GET", "/forward-auth", { headers })).status).toBe(401);
    expect((await ask(headers, world.b.actors.governance_officer.token)).status).toBe(403);
  });
});
