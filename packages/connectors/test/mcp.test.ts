import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { mcpConnector } from "@reeve/mcp";
import { connectorCalls, connectorParts, listAll } from "@reeve/testkit/connectors";
import { startMcpServer } from "@reeve/testkit/mcp";
import { freePort } from "@reeve/testkit/postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { mcpServer } from "../src/mcp/index.js";
import { failureOf } from "./support/failure.js";
import { LOOPBACK, serve, serveAnswer } from "./support/http-server.js";

const { resolve } = createRequire(import.meta.url);

/** The program of a published server, from its manifest. */
function programOf(name: "everything" | "filesystem" | "memory"): string {
  return join(dirname(resolve(`@modelcontextprotocol/server-${name}/package.json`)), "dist", "index.js");
}

const command = (...args: string[]) => ({ command: process.execPath, args });

const host = mcpConnector({
  commands: {
    everything: command(programOf("everything")),
    filesystem: command(programOf("filesystem"), tmpdir()),
    memory: command(programOf("memory")),
    silent: command("-e", "setInterval(() => {}, 1000)"),
  },
});

const TOKEN = "mcp-token-0123456789";

function instance(config: Record<string, unknown>, options: { token?: string; admit?: () => Promise<void> } = {}) {
  const connector = mcpServer(host);
  const { token, ...rest } = options;
  const secrets: Record<string, string> = token === undefined ? {} : { token };
  const parts = connectorParts(connector, { config, secrets, allow: LOOPBACK, ...rest });
  return { connector, parts, calls: connectorCalls(connector, parts) };
}

/** A published server over HTTP. It ends with the test. */
async function startEverything(mode: "streamableHttp" | "sse"): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [programOf("everything"), mode], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const gone = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await gone;
  });
  let said = "";
  await new Promise<void>((started, failed) => {
    child.stderr.on("data", (chunk) => {
      said += String(chunk);
      if (said.includes(String(port))) started();
    });
    child.once("exit", () => failed(new Error(`the server has ended: ${said}`)));
  });
  return `http://127.0.0.1:${port}/${mode === "sse" ? "sse" : "mcp"}`;
}

describe("a published server over stdio", () => {
  it.each([
    ["everything", "echo"],
    ["filesystem", "read_file"],
    ["memory", "create_entities"],
  ])("%s is found with its tools, which are its resources", async (name, tool) => {
    const { calls } = instance({ transport: "stdio", command: name });
    const assets = await listAll((page) => calls.discoverAssets(page), 5);
    expect(assets.complete).toBe(true);
    expect(assets.items.filter(({ assetType }) => assetType === "mcp_server")).toMatchObject([
      { externalId: "server", record: { transport: "stdio", command: name } },
    ]);
    const tools = assets.items.filter(({ assetType }) => assetType === "tool");
    expect(tools.find(({ externalId }) => externalId === tool)).toMatchObject({
      record: { origin: "mcp", toolName: tool, inputSchema: { type: "object" } },
    });
    const { items } = await listAll((page) => calls.listResources("tool", page), 200);
    expect(items.map(({ externalId }) => externalId).sort()).toEqual(tools.map(({ externalId }) => externalId).sort());
    expect(items.find(({ externalId }) => externalId === tool)?.attributes).toMatchObject({
      inputSchema: { type: "object" },
    });
  });

  it("passes the test, and its target is the command and not what it calls itself", async () => {
    const { checks, target } = await instance({ transport: "stdio", command: "memory" }).calls.testConnection();
    expect(checks).toMatchObject([{ status: "pass" }]);
    expect(target?.id).toBe("stdio:memory");
  });

  it("is not started where nothing may go out, nor by a command that nobody has registered", async () => {
    const stopped = instance(
      { transport: "stdio", command: "memory" },
      { admit: () => Promise.reject(new Error("stopped")) },
    );
    expect(await failureOf(stopped.calls.testConnection())).toMatchObject({ errorClass: "transient" });
    const unknown = instance({ transport: "stdio", command: "sh" });
    expect(await failureOf(unknown.calls.testConnection())).toMatchObject({
      errorClass: "config",
      code: "unknown_command",
    });
    expect(() => instance({ transport: "stdio", command: "sh -c id" })).toThrow();
  });

  it("that says nothing is given up with its caller", async () => {
    const { connector, parts } = instance({ transport: "stdio", command: "silent" });
    const leaving = new AbortController();
    const calls = connectorCalls(connector, parts, { signal: leaving.signal });
    const listing = failureOf(calls.listResources("tool", { limit: 5 }));
    leaving.abort();
    expect(await listing).toMatchObject({ errorClass: "transient", code: "abandoned" });
  });
});

describe("a published server over HTTP", () => {
  it.each([
    ["streamableHttp", "streamable_http"],
    ["sse", "sse"],
  ] as const)("shows over %s what it shows over stdio", async (mode, transport) => {
    const over = instance({ transport, url: await startEverything(mode) });
    const local = instance({ transport: "stdio", command: "everything" });
    const [http, stdio] = await Promise.all(
      [over, local].map(({ calls }) => listAll((page) => calls.listResources("tool", page))),
    );
    expect(http?.items).toEqual(stdio?.items);
    expect(http?.items.length).toBeGreaterThan(5);
  });
});

describe("a server of the official library", () => {
  const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: "object" } });

  it("shows a changed tool as the same resource with other attributes, and a new name as a new one", async () => {
    const server = await startMcpServer({ tools: [tool("read", "Reads.")] });
    onTestFinished(() => server.stop());
    const { calls } = instance({ url: server.url });
    const tools = async () => (await listAll((page) => calls.listResources("tool", page))).items;
    const before = await tools();
    server.offer({ tools: [tool("read", "Reads, and sends it away."), tool("reed", "Reads.")] });
    const after = await tools();
    expect(after.map(({ externalId }) => externalId)).toEqual(["read", "reed"]);
    expect(before[0]?.attributes).toMatchObject({ description: "Reads." });
    expect(after[0]?.attributes).toMatchObject({ description: "Reads, and sends it away." });
  });

  it("loses no tool of a later page when one of an earlier page goes", async () => {
    const names = ["a", "b", "c", "d"];
    const server = await startMcpServer({ tools: names.map((name) => tool(name, "-")) });
    onTestFinished(() => server.stop());
    const { calls } = instance({ url: server.url });
    const first = await calls.listResources("tool", { limit: 2 });
    server.offer({ tools: names.slice(1).map((name) => tool(name, "-")) });
    const second = await calls.listResources("tool", { limit: 2, cursor: String(first.nextCursor) });
    expect(second.items.map(({ externalId }) => externalId)).toEqual(["c", "d"]);
  });
});

describe("a server over HTTP that is hostile or broken", () => {
  it.each([
    [undefined, "authorization", `Bearer ${TOKEN}`],
    ["X-Api-Key", "x-api-key", TOKEN],
  ])("refuses the token, which was in the header (%s), and no failure quotes it", async (headerName, name, value) => {
    const { url, requests } = await serveAnswer(401, { error: TOKEN });
    const { calls, parts } = instance({ url, ...(headerName ? { headerName } : {}) }, { token: TOKEN });
    const error = await failureOf(calls.testConnection());
    expect(error).toMatchObject({ errorClass: "auth" });
    expect(requests[0]?.headers[name]).toBe(value);
    expect(JSON.stringify([error.message, error.code, parts.lines])).not.toContain(TOKEN);
  });

  it("never has the token sent to where it redirects", async () => {
    const other = await serveAnswer(200, {});
    const { url } = await serveAnswer(307, "", { location: other.url });
    expect(await failureOf(instance({ url }, { token: TOKEN }).calls.testConnection())).toMatchObject({
      errorClass: "config",
    });
    expect(other.requests).toHaveLength(0);
  });

  it("cannot name an endpoint of another origin for the older transport", async () => {
    const other = await serveAnswer(202, "");
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`event: endpoint\ndata: ${other.url}/messages\n\n`);
    });
    const error = await failureOf(instance({ transport: "sse", url }, { token: TOKEN }).calls.testConnection());
    expect(error.name).toBe("ConnectorError");
    expect(other.requests).toHaveLength(0);
  });

  it("that answers 10 MB, or no MCP at all, is invalid", async () => {
    for (const body of ["x".repeat(10_000_000), "<html>", {}]) {
      const { url } = await serveAnswer(200, body);
      expect(await failureOf(instance({ url }).calls.listResources("tool", { limit: 5 }))).toMatchObject({
        errorClass: "invalid",
      });
    }
  });

  it("is not reached at an address that nobody permits, and the failure says so", async () => {
    const connector = mcpServer(host);
    const parts = connectorParts(connector, { config: { url: "http://169.254.169.254/mcp" } });
    expect(await failureOf(connectorCalls(connector, parts).testConnection())).toMatchObject({
      errorClass: "config",
      code: "target_not_allowed",
    });
  });

  it.each([
    [{}, {}],
    [{ transport: "stdio" }, {}],
    [{ transport: "stdio", command: "memory" }, { token: TOKEN }],
    [{ url: "https://mcp.example.com/mcp", command: "memory" }, {}],
  ])("has a configuration that fits together: %j", async (config, secrets) => {
    expect(await failureOf(instance(config, secrets).calls.testConnection())).toMatchObject({ errorClass: "config" });
  });
});
