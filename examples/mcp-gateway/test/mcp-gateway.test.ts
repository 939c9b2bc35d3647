import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { hangUp } from "../../../scripts/edges/hostile.js";
import {
  type Agent,
  approve,
  connect,
  type Era,
  govern,
  halt,
  newAgent,
  say,
  switchOff,
} from "../src/demonstration.js";
import { type Gateway, type GatewaySettings, SCOPES, startGateway } from "../src/gateway.js";
import { LIMITS } from "../src/limits.js";
import type { Where } from "../src/reeve.js";
import { type Service, startService } from "../src/service.js";
import { tell } from "../src/story.js";
import { openEverything, type Tool, upstreamOf } from "../src/upstream.js";
import { cuttable, scripted } from "./scripted.js";

let service: Service;
let where: Where;
let gateway: Gateway;
/** The tools as the published server describes them. */
let tools: readonly Tool[];
beforeAll(async () => {
  service = await startService();
  where = await govern(service);
  gateway = await startGateway(where);
  const everything = upstreamOf(openEverything, LIMITS);
  tools = await everything.tools();
  await everything.close();
});
afterAll(async () => {
  await gateway?.close();
  await service?.close();
});

const KEY = "dev.reeve/idempotency-key";
const JSON_TYPES = { "content-type": "application/json", accept: "application/json, text/event-stream" };

async function tokenOf({ clientId, clientSecret }: Agent): Promise<string> {
  const grant = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  return (await service.guest.send("POST", "/auth/token", grant)).access_token;
}

/** Sends a message, or a text as it is. */
const post = (url: string, token: string | undefined, message: unknown) =>
  fetch(url, {
    method: "POST",
    headers: { ...JSON_TYPES, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    body: typeof message === "string" ? message : JSON.stringify(message),
  });
const rpc = (method: string, params = {}) => ({ jsonrpc: "2.0", id: 1, method, params });

/** A gateway in front of a server that a test has in its hands, and a client of an agent of its own. */
async function behind(settings: Partial<GatewaySettings> = {}) {
  const script = scripted(tools);
  const started = await startGateway({ ...where, open: () => script.open(), ...settings });
  onTestFinished(() => started.close());
  const agent = await newAgent(service, where, `Agent ${Math.random()}`);
  const client = await connect(started, agent);
  onTestFinished(() => client.close());
  const sum = (a: number, key?: string) => say(client, "get-sum", { a, b: 4 }, key === undefined ? {} : { [KEY]: key });
  /** Waits for a number of calls at the server. */
  const arrived = (count: number) => expect.poll(() => script.waiting.length).toBe(count);
  return { script, started, agent, client, sum, arrived };
}

describe("a gateway in front of a published MCP server", () => {
  it("tells those without a token where to get one, and lets in agents of its tenant alone", async () => {
    const { origin } = new URL(gateway.url);
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    const refusal = async (token?: string) => {
      const { status, headers } = await post(gateway.url, token, rpc("ping"));
      return [status, headers.get("www-authenticate")];
    };
    expect(await refusal()).toEqual([401, `Bearer resource_metadata="${metadata}"`]);
    expect(await (await fetch(metadata)).json()).toEqual({
      ...{ resource: gateway.url, authorization_servers: [service.url] },
      ...{ bearer_methods_supported: ["header"], scopes_supported: SCOPES },
    });
    const worthless = [401, `Bearer error="invalid_token", resource_metadata="${metadata}"`];
    expect(await refusal("e30.e30.e30")).toEqual(worthless);
    const account = { username: "joan@globex.example", password: "copper kite at dusk" };
    await service.guest.send("POST", "/register", { organization: "Globex", ...account });
    const { token } = await service.guest.send("POST", "/auth/signin", account);
    const ofGlobex = { ...service, ada: service.as(token) };
    const identity = await ofGlobex.ada.send("POST", "/ai/identities", { name: "X", kind: "workload", scopes: SCOPES });
    const stranger = await ofGlobex.ada.send("POST", `/ai/identities/${identity.id}/credentials`, {});
    expect(await refusal(await tokenOf(stranger)), "of another tenant").toEqual(worthless);
    const unfit = [403, `Bearer error="insufficient_scope", resource_metadata="${metadata}"`];
    expect(await refusal(token), "of a person").toEqual(unfit);
    const poor = await newAgent(service, where, "Poor", ["ai-asset:read"]);
    expect(await refusal(await tokenOf(poor)), "without scopes").toEqual(unfit);
  });

  it.each(["2026-07-28", "2025-11-25"] satisfies Era[])(
    "shows and runs what is allowed, and tells the reason of each refusal: %s",
    async (era) => {
      const agent = await newAgent(service, where, `Bookkeeper of ${era}`);
      const client = await connect(gateway, agent, era);
      onTestFinished(() => client.close());
      const sum = (a: unknown) => say(client, "get-sum", { a, b: 4 });
      const listed = async () => (await client.listTools()).tools.map(({ name }) => name).sort();
      expect(await listed()).toEqual(["get-structured-content", "get-sum", "toggle-simulated-logging"]);
      expect(await sum(3)).toBe("The sum of 3 and 4 is 7.");
      const weather = await client.callTool({ name: "get-structured-content", arguments: { location: "Chicago" } });
      expect(weather.structuredContent).toMatchObject({ conditions: "Light rain / drizzle" });
      expect(await sum("three")).toMatch(/^refused, Denied /);
      expect(await say(client, "echo", { message: "x" })).toMatch(
        /^refused, Denied .* No rule in force speaks of it\./,
      );
      for (const name of ["get-env", "nothing"])
        expect(await say(client, name, {})).toMatch(/^refused, tool_not_approved: /);
      expect(await sum(5000)).toMatch(/^refused, It waits for approval/);
      await approve(service);
      expect(await sum(5001)).toMatch(/^refused, It waits for approval/);
      expect(await sum(5000)).toBe("The sum of 5000 and 4 is 5004.");
      expect(await sum(5000)).toMatch(/^refused, It waits for approval/);
      const lift = await halt(service, where);
      expect(await sum(3)).toMatch(/^refused, Denied /);
      expect(await listed()).toEqual([]);
      await lift();
      expect(await sum(3)).toBe("The sum of 3 and 4 is 7.");
      await switchOff(service, agent);
      await expect(sum(3)).rejects.toThrow();
    },
  );

  it("gives the server none of the secrets of its own environment", async () => {
    vi.stubEnv("GATEWAY_SECRET", "seven-silver-spoons");
    onTestFinished(() => void vi.unstubAllEnvs());
    const everything = upstreamOf(openEverything, LIMITS);
    onTestFinished(() => everything.close());
    const said = JSON.stringify(await everything.call("get-env", {}));
    expect(said).toContain("PATH");
    expect(said).not.toContain("seven-silver-spoons");
  });
});

describe("the story of the example", () => {
  it("goes as the README tells it", async () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const told = readme.split("It prints what happens, in order:\n\n")[1]?.split("\n\n")[0]?.split("\n") ?? [];
    const printed: string[] = [];
    await tell((line) => printed.push(line));
    expect(printed).toHaveLength(told.length);
    for (const [at, line] of told.entries()) {
      // An ellipsis stands for what is not told.
      const parts = line
        .trim()
        .split("…")
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      expect(printed[at]).toMatch(new RegExp(`^${parts.join(".*")}$`, "s"));
    }
  });
});

describe("what a gateway lets through", () => {
  it("is no tool that Reeve does not know, or that is described in another way by now", async () => {
    const { script, client, sum, arrived } = await behind();
    const listed = async () => (await client.listTools()).tools.map(({ name }) => name).sort();
    expect(await listed()).toEqual(["get-structured-content", "get-sum", "toggle-simulated-logging"]);
    const other = { name: "get-product", inputSchema: { type: "object" } };
    const changed = (more: object) => tools.map((tool) => (tool.name === "get-sum" ? { ...tool, ...more } : tool));
    for (const more of [{ description: "Sends all." }, { annotations: { readOnlyHint: true } }, { _meta: { x: 1 } }]) {
      script.tools = [...changed(more), other];
      expect(await listed()).toEqual(["get-structured-content", "toggle-simulated-logging"]);
      expect(await sum(3)).toMatch(/^refused, tool_not_approved: /);
    }
    expect(await say(client, "get-product", {})).toMatch(/^refused, tool_not_approved: /);
    expect(script.made).toEqual([]);
    script.tools = changed({ icons: [{ src: "https://elsewhere.example/x.png" }] });
    const shown = (await client.listTools()).tools.find(({ name }) => name === "get-sum");
    expect(shown, "what nobody has looked at is not passed on").not.toHaveProperty("icons");
    const again = sum(3);
    await arrived(1);
    script.waiting[0]?.("7");
    expect(await again).toBe("7");
  });

  it("is one message of bounded size, and no stream", async () => {
    const { started, agent, script } = await behind();
    const token = await tokenOf(agent);
    const send = async (message: unknown) => (await post(started.url, token, message)).status;
    expect(await send(rpc("tools/list", { more: "x".repeat(1_048_576) }))).toBe(413);
    const call = rpc("tools/call", { name: "get-sum", arguments: { a: 1, b: 2 } });
    expect(await send([call, call])).toBe(400);
    for (const odd of ["", "{", "null", "[]", "7", "{}", '{"jsonrpc":"2.0"}']) expect(await send(odd), odd).toBe(400);
    const deep = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;
    for (const meta of ["{}", `{"${KEY}":"step-1"}`]) {
      const text = JSON.stringify(rpc("tools/call", { name: "get-sum", arguments: "?", _meta: "!" }));
      expect(await send(text.replace('"?"', deep).replace('"!"', meta)), "an answer of JSON-RPC").toBe(200);
    }
    for (let each = 0; each < 10; each += 1) expect(await send(rpc("subscriptions/listen"))).toBe(404);
    const stream = await fetch(started.url, { headers: { ...JSON_TYPES, authorization: `Bearer ${token}` } });
    expect([stream.status, script.made]).toEqual([405, []]);
  });

  it("is a bounded number of calls at once, of one agent and of all", async () => {
    const { started, agent, sum, script, arrived } = await behind({ limits: { atOnce: 3, atOnceOfOne: 2 } });
    const [first, second] = [sum(1), sum(2)];
    await arrived(2);
    const busy = async (token: string) => {
      const { status, headers } = await post(started.url, token, rpc("ping"));
      return [status, headers.get("retry-after")];
    };
    expect(await busy(await tokenOf(agent))).toEqual([429, "1"]);
    const other = await newAgent(service, where, "Other");
    const client = await connect(started, other);
    onTestFinished(() => client.close());
    const third = say(client, "get-sum", { a: 3, b: 4 });
    await arrived(3);
    expect(await busy(await tokenOf(other))).toEqual([503, "1"]);
    for (const end of script.waiting) end("7");
    expect(await Promise.all([first, second, third])).toEqual(["7", "7", "7"]);
    expect((await busy(await tokenOf(agent)))[0]).not.toBe(429);
  });

  it("holds no place for senders that have hung up", async () => {
    const { started, agent, script, arrived } = await behind({ limits: { atOnceOfOne: 2 } });
    const token = await tokenOf(agent);
    const { origin } = new URL(started.url);
    const head = `POST /mcp HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: 100\r\n\r\n`;
    for (let each = 0; each < 6; each += 1) await hangUp(origin, `${head}{"jsonrpc":`);
    const body = JSON.stringify(rpc("tools/call", { name: "get-sum", arguments: { a: 1, b: 2 } }));
    const headers = { ...JSON_TYPES, authorization: `Bearer ${token}` };
    const leaving = new AbortController();
    const left = fetch(started.url, { method: "POST", headers, body, signal: leaving.signal }).catch(() => "left");
    await arrived(1);
    leaving.abort();
    expect(await left).toBe("left");
    script.waiting[0]?.("7");
    const free = async () => {
      const both = await Promise.all([post(started.url, token, rpc("ping")), post(started.url, token, rpc("ping"))]);
      return both.map(({ status }) => status);
    };
    await expect.poll(free).toEqual([200, 200]);
  });

  it("has a bound on results and on time, and goes on after a server that breaks off", async () => {
    const { sum, script, arrived } = await behind({ limits: { resultLength: 500, callMs: 1_000 } });
    const [large, late] = [sum(1), sum(2)];
    await arrived(2);
    script.waiting[0]?.("x".repeat(500));
    expect(await large).toMatch(/^refused, result_too_large: /);
    expect(await late).toMatch(/^refused, outcome_unknown: /);
    const broken = sum(3);
    await arrived(3);
    await script.breakOff();
    expect(await broken).toMatch(/^refused, outcome_unknown: /);
    const after = sum(4);
    await arrived(4);
    script.waiting[3]?.("8");
    expect(await after).toBe("8");
  });
});

describe("a call with a key", () => {
  it("is made once, and not again where nobody knows what has come of it", async () => {
    const { started, sum, script, arrived } = await behind({ limits: { keysOfOne: 2 } });
    const both = [sum(3, "step-7"), sum(3, "step-7")];
    await arrived(1);
    script.waiting[0]?.("call 1");
    expect(await Promise.all(both)).toEqual(["call 1", "call 1"]);
    expect(await sum(3, "step-7")).toBe("call 1");
    expect(await sum(4, "step-7")).toMatch(/^refused, idempotency_key_reused: /);
    expect(await sum(3, "a b")).toMatch(/^refused, invalid_request: /);
    const lost = sum(3, "step-8");
    await arrived(2);
    await script.breakOff();
    for (const end of [await lost, await sum(3, "step-8")]) expect(end).toMatch(/^refused, outcome_unknown: /);
    expect(await sum(3, "step-9")).toMatch(/^refused, too_many_keys: /);
    const client = await connect(started, await newAgent(service, where, "Of the same key"));
    onTestFinished(() => client.close());
    const others = [say(client, "get-sum", { a: 3, b: 4 }, { [KEY]: "step-7" }), sum(3), sum(3)];
    await arrived(5);
    for (const end of script.waiting.slice(2)) end("another");
    expect(await Promise.all(others)).toEqual(["another", "another", "another"]);
  });

  it("keeps none that was refused, so that it can be made once somebody has approved it", async () => {
    const { sum, script, arrived } = await behind();
    expect(await sum(7000, "step-1")).toMatch(/^refused, It waits for approval/);
    await approve(service);
    const approved = sum(7000, "step-1");
    await arrived(1);
    script.waiting[0]?.("7004");
    expect([await approved, await sum(7000, "step-1")]).toEqual(["7004", "7004"]);
    expect(script.made).toEqual(["get-sum"]);
  });
});

describe("a gateway whose control plane is away", () => {
  it("lets nothing through, writes no secret anywhere, and goes on afterwards", async () => {
    const written: string[] = [];
    const hear = (text: unknown) => written.push(String(text)) > 0;
    for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, "write").mockImplementation(hear);
    for (const level of ["log", "info", "warn", "error", "debug"] as const)
      vi.spyOn(console, level).mockImplementation((...said) => void hear(said.join(" ")));
    onTestFinished(() => void vi.restoreAllMocks());
    const way = await cuttable(service.url);
    const { started, agent, sum, script, arrived } = await behind({ url: way.url, issuer: service.url });
    const token = await tokenOf(agent);
    const call = rpc("tools/call", { name: "get-sum", arguments: { a: 3, b: 4 } });
    way.cut.paths = /evaluation/;
    expect(await sum(3, "step-1")).toMatch(/^refused, There is no decision /);
    way.cut.paths = /tools/;
    expect((await post(started.url, token, call)).status).toBe(503);
    expect(script.made).toEqual([]);
    way.cut.paths = /^$/;
    const again = sum(3, "step-1");
    await arrived(1);
    script.waiting[0]?.("7");
    expect(await again).toBe("7");
    await way.stop();
    expect((await post(started.url, token, call)).status).toBe(503);
    expect((await post(started.url, "e30.e30.e30", call)).status).toBe(503);
    expect(script.made).toEqual(["get-sum"]);
    for (const secret of [token, agent.clientSecret]) expect(written.join("\n")).not.toContain(secret);
  });
});
