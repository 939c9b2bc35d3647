import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { guardedEgress, MCP_LIMITS, type McpSnapshot } from "@reeve/core";
import { type McpOffer, type McpTestServer, startMcpServer } from "@reeve/testkit/mcp";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { mcpConnector } from "../src/index.js";
import { http, loopback } from "./support/targets.js";

const connector = mcpConnector();
const options = { egress: loopback };
const tool = (name: string, more: object = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: "object" },
  ...more,
});
const MISNAMED = ["misconfigured", "host_check"] as const;
const tools = (count: number) => Array.from({ length: count }, (_, index) => tool(`t${index}`));

let server: McpTestServer;
beforeEach(async () => {
  server = await startMcpServer({ tools: [tool("read")] });
});
afterEach(() => server.stop());

async function observed(offer: McpOffer = {}): Promise<McpSnapshot> {
  server.offer(offer);
  const outcome = await connector.observe(http(server.url), options);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure));
  return outcome.value;
}

async function failure(offer: McpOffer | RequestListener, timeoutMs = 5_000) {
  if (typeof offer === "function") server.behave(offer);
  else server.offer(offer);
  const outcome = await connector.observe(http(server.url), { ...options, timeoutMs });
  return outcome.ok ? outcome.value : outcome.failure;
}

describe("both eras of the protocol", () => {
  it.each([
    ["both", "modern", "2026-07-28"],
    ["modern", "modern", "2026-07-28"],
    ["legacy", "legacy", "2025-11-25"],
  ] as const)("are spoken: a server of %s is greeted in the %s way", async (era, spoken, negotiated) => {
    const snapshot = await observed({
      era,
      instructions: "Read first.",
      prompts: [{ name: "ask", arguments: [{ name: "what", required: true }] }],
      resources: [{ uri: "file:///a", name: "a" }],
      resourceTemplates: [{ uriTemplate: "file:///{path}", name: "files" }],
    });
    expect(snapshot).toMatchObject({
      protocol: { era: spoken, negotiated },
      serverInfo: { name: "test-server", version: "1.0.0" },
      instructions: "Read first.",
      tools: [{ name: "read", description: "Does read.", inputSchema: { type: "object" } }],
      prompts: [{ name: "ask", arguments: [{ name: "what", required: true }] }],
      resourceTemplates: [{ uriTemplate: "file:///{path}", name: "files" }],
      resources: [{ uri: "file:///a", name: "a" }],
      resourcesTruncated: false,
    });
    const probed = await connector.probe(http(server.url), options);
    expect(probed).toMatchObject({ ok: true, value: { protocol: { era: spoken }, instructions: "Read first." } });
  });

  it("can be pinned, and a server that does not speak the pinned version fails", async () => {
    const pinned = (pin: string) => connector.probe({ ...http(server.url), protocol: { pin } }, options);
    expect(await pinned("2026-07-28")).toMatchObject({ ok: true, value: { protocol: { negotiated: "2026-07-28" } } });
    server.offer({ era: "legacy" });
    expect(await pinned("2026-07-28")).toMatchObject({ ok: false, failure: { code: "protocol_error" } });
    const old = await connector.probe({ ...http(server.url), protocol: "legacy" }, options);
    expect(old).toMatchObject({ ok: true, value: { protocol: { era: "legacy" } } });
  });
});

describe("a snapshot", () => {
  it("holds what was said, and what no client knows of as well", async () => {
    const odd = tool("odd", {
      annotations: { readOnlyHint: true, unheardOf: "yes" },
      inputSchema: { type: "object", properties: { a: { "x-mcp-header": "not a header!" } }, "x-more": [1] },
      _meta: { "acme.example/secret": true },
      execution: { taskSupport: "optional" },
      icons: [{ src: "https://acme.example/odd.png" }],
    });
    const [seen] = (await observed({ era: "legacy", tools: [odd] })).tools;
    expect(seen).toEqual(odd);
  });

  it("is whole over many pages, and says nothing of what a server does not have", async () => {
    expect((await observed({ tools: tools(120), pageSize: 7 })).tools).toHaveLength(120);
    const bare = await startMcpServer({});
    onTestFinished(() => bare.stop());
    const outcome = await connector.observe(http(bare.url), options);
    expect(outcome).toMatchObject({
      ok: true,
      value: { tools: [], prompts: [], resources: [], resourceTemplates: [] },
    });
  });

  it("takes as much as it may", async () => {
    const most = tool("most", {
      title: "t".repeat(MCP_LIMITS.name),
      description: "d".repeat(MCP_LIMITS.description),
      inputSchema: { type: "object", description: "s".repeat(MCP_LIMITS.schema - 60) },
    });
    expect((await observed({ tools: [most] })).tools).toEqual([most]);
    expect((await observed({ tools: tools(MCP_LIMITS.items) })).tools).toHaveLength(MCP_LIMITS.items);
    const resources = Array.from({ length: 600 }, (_, index) => ({ uri: `file:///${index}`, name: `${index}` }));
    const many = await observed({ tools: [], resources });
    expect([many.resources.length, many.resourcesTruncated]).toEqual([MCP_LIMITS.items, true]);
  });
});

describe("a server that says too much", () => {
  let deep: object = {};
  for (let level = 0; level < 40; level++) deep = { deep };
  const large = (bytes: number) => ({ type: "object", description: "x".repeat(bytes) });

  it.each([
    ["more tools than are read", { tools: tools(MCP_LIMITS.items + 1) }, "too_many", "tools"],
    ["more pages than are read", { tools: tools(MCP_LIMITS.pages + 1), pageSize: 1 }, "too_many", "pages"],
    ["a long name", { tools: [tool("n".repeat(201))] }, "too_large", "text"],
    ["a long description", { tools: [tool("a", { description: "é".repeat(8_193) })] }, "too_large", "text"],
    ["long instructions", { instructions: "x".repeat(16_385) }, "too_large", "text"],
    ["a large schema", { tools: [tool("a", { inputSchema: large(70_000) })] }, "too_large", "schema"],
    ["a large output schema", { tools: [tool("a", { outputSchema: large(70_000) })] }, "too_large", "outputSchema"],
    ["a deep schema", { tools: [tool("a", { inputSchema: { type: "object", deep } })] }, "too_large", "schema_depth"],
    ["a schema of ten megabytes", { tools: [tool("a", { inputSchema: large(10_000_000) })] }, "too_large", "too_large"],
    [
      "more than is read in all",
      {
        tools: Array.from({ length: 60 }, (_, index) => tool(`t${index}`, { inputSchema: large(60_000) })),
        pageSize: 10,
      },
      "too_large",
      "total",
    ],
  ] as const)("by %s", async (_what, offer, code, reason) => {
    expect(await failure(offer as McpOffer)).toEqual({ code, reason });
  });
});

describe("a server that lies", () => {
  it.each([
    ["a tool without a name", { tools: [{ inputSchema: {} }] }],
    ["a tool without a schema", { tools: [{ name: "a" }] }],
    ["a description that is a number", { tools: [{ ...tool("a"), description: 7 }] }],
    ["a schema that is a list", { tools: [{ ...tool("a"), inputSchema: [] }] }],
    ["two tools of one name", { tools: [tool("a"), tool("a")] }],
    ["text that no store can hold", { tools: [tool("a", { inputSchema: { type: "object", a: "\0" } })] }],
    ["half a character", { tools: [tool("a", { description: "\uD800" })] }],
  ] as const)("about %s", async (_what, offer) => {
    expect(await failure(listing(offer))).toMatchObject({ code: "protocol_error" });
  });

  it.each([
    ["a list that is none", { tools: "none" }],
    ["a page that leads to itself", { tools: [], nextCursor: "again" }],
    ["a cursor that is a number", { tools: [], nextCursor: 7 }],
    ["nothing at all", null],
  ])("by answering %s", async (_what, result) => {
    expect(await failure(answering((method) => (method === "tools/list" ? { result } : undefined)))).toMatchObject({
      code: "protocol_error",
    });
  });

  it("by an error in place of a list, which is no empty list", async () => {
    const error = { code: -32_603, message: "the disk at 10.0.0.7 is full" };
    const found = await failure(answering((method) => (method === "tools/list" ? { error } : undefined)));
    expect(found).toEqual({ code: "protocol_error", reason: "error_answer" });
    expect(JSON.stringify(found)).not.toContain("10.0.0.7");
  });
});

describe("a server that does not answer", () => {
  it.each<[string, RequestListener, string, string | undefined]>([
    ["never", () => {}, "timeout", undefined],
    ["in bytes without end", forever, "too_large", undefined],
    ["in events without end", eventsForever, "too_large", undefined],
    ["what is no JSON", body("{", "application/json"), "protocol_error", undefined],
    ["a page for people", body("<html>", "text/html"), "protocol_error", undefined],
    ["401", status(401), "auth_required", "http_401"],
    ["403", status(403), "forbidden", "http_403"],
    ["403 with what it wants", refusing(403, "", { "www-authenticate": "Bearer" }), "auth_required", "http_403"],
    ["403 about the name it was asked by", refusing(403, "Access is only allowed at localhost:8931"), ...MISNAMED],
    ["403 in JSON", refusing(403, '{"error":{"code":-32000,"message":"Invalid Host: 10.0.0.7"}}'), ...MISNAMED],
    ["421", refusing(421, "Invalid Host header"), ...MISNAMED],
    ["403 about something else", refusing(403, "Your plan has ended. Ask ghosts."), "forbidden", "http_403"],
    ["404", status(404), "misconfigured", "http_404"],
    ["500", status(500), "unreachable", "http_500"],
    ["by breaking off", (request) => request.socket.destroy(), "unreachable", "broken_off"],
  ])("%s", async (_what, listener, code, reason) => {
    const found = await failure(listener, 2_000);
    expect(found).toMatchObject({ code, ...(reason ? { reason } : {}) });
  });

  it("because nobody is there", async () => {
    const { port } = server;
    await server.stop();
    expect(await connector.probe(http(`http://127.0.0.1:${port}/mcp`), options)).toEqual({
      ok: false,
      failure: { code: "unreachable", reason: "unreachable" },
    });
    server = await startMcpServer();
  });
});

describe("where a look may go", () => {
  it("is for the egress guard to say", async () => {
    const outcome = await connector.observe(http(server.url), { egress: guardedEgress() });
    expect(outcome).toEqual({ ok: false, failure: { code: "target_not_allowed", reason: "egress" } });
    expect(server.requests).toBe(0);
  });

  it.each([301, 302, 307, 308])("is not for a server to say: %i to another origin is not followed", async (code) => {
    let reached = 0;
    const other = createServer((_request, response) => {
      reached += 1;
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(async () => {
      other.close();
    });
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/mcp`;
    const found = await failure((_request, response) => response.writeHead(code, { location }).end());
    expect(found).toEqual({ code: "misconfigured", reason: "redirect" });
    expect(reached).toBe(0);
  });

  it("may be another path of the same server", async () => {
    const moved = server.url.replace("/mcp", "/moved");
    const answer = await startMcpServer({ tools: [tool("read")] });
    onTestFinished(() => answer.stop());
    server.behave((request, response) => {
      if (request.url === "/moved") response.writeHead(308, { location: "/mcp" }).end();
      else {
        server.behave(undefined);
        response.writeHead(503).end();
      }
    });
    expect(await connector.probe(http(moved), options)).toEqual({
      ok: false,
      failure: { code: "unreachable", reason: "http_503" },
    });
  });

  it("carries the credential, and no other secret", async () => {
    const seen: (string | undefined)[] = [];
    server.behave((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401).end();
    });
    await connector.probe({ ...http(server.url), headers: { authorization: "Bearer s3cret" } }, options);
    await connector.probe(http(server.url), options);
    expect(seen).toEqual(["Bearer s3cret", undefined]);
  });

  it("asks the host for tokens that have to be fetched", async () => {
    const oauth = { tenantId: "t", serverId: "s", type: "oauth_user", clientId: "c", secret: "r" } as const;
    const target = { ...http(server.url), oauth };
    expect(await connector.probe(target, options)).toEqual({
      ok: false,
      failure: { code: "auth_required", reason: "no_oauth" },
    });
    const asked: unknown[] = [];
    const withOAuth = mcpConnector({
      oauth: async (wanted) => {
        asked.push(wanted);
        return { authorization: "Bearer fetched" };
      },
    });
    expect(await withOAuth.probe(target, options)).toMatchObject({ ok: true });
    expect(asked).toEqual([oauth]);
    const failing = mcpConnector({ oauth: () => Promise.reject(new Error("secret text")) });
    expect(await failing.probe(target, options)).toEqual({
      ok: false,
      failure: { code: "auth_required", reason: "oauth" },
    });
  });
});

function status(code: number): RequestListener {
  return (_request, response) => response.writeHead(code).end();
}

function refusing(code: number, text: string, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => response.writeHead(code, headers).end(text);
}

function body(text: string, type: string): RequestListener {
  return (_request, response) => response.writeHead(200, { "content-type": type }).end(text);
}

function forever(...[, response]: Parameters<RequestListener>): void {
  response.writeHead(200, { "content-type": "application/json" });
  const more = () => {
    while (!response.destroyed && response.write(" ".repeat(65_536)));
    response.once("drain", more);
  };
  more();
}

function eventsForever(...[, response]: Parameters<RequestListener>): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const message = {
    jsonrpc: "2.0",
    method: "notifications/message",
    params: { level: "info", data: "x".repeat(65_536) },
  };
  const more = () => {
    while (!response.destroyed && response.write(`data: ${JSON.stringify(message)}\n\n`));
    response.once("drain", more);
  };
  more();
}

/** A hand-written server with the older handshake, for answers that no library can send. */
function answering(answer: (method: string) => { result: unknown } | { error: unknown } | undefined): RequestListener {
  return async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method !== "POST") return response.writeHead(405).end();
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
    if (id === undefined) return response.writeHead(202).end();
    const initialized = {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {}, prompts: {} },
      serverInfo: { name: "liar", version: "1" },
    };
    const unknown = { error: { code: -32_601, message: "Method not found" } };
    const said = answer(method) ?? (method === "initialize" ? { result: initialized } : unknown);
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(JSON.stringify({ jsonrpc: "2.0", id, ...said }));
  };
}

function listing(offer: Readonly<Record<string, unknown>>): RequestListener {
  return answering((method) => {
    const member = method.split("/")[0] as string;
    return method.endsWith("/list") ? { result: { [member]: offer[member] ?? [] } } : undefined;
  });
}
