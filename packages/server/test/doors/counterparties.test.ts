import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { OPAClient } from "@open-policy-agent/opa";
import { type McpTestServer, startMcpServer } from "@reeve/testkit/mcp";
import { freePort } from "@reeve/testkit/postgres";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ServerProcess } from "../server-process.js";
import { PROXIES, startProxy } from "./proxies.js";

const [ada, grace] = [
  { username: "ada@acme.example", password: "violet tram at noon" },
  { username: "grace@acme.example", password: "a quiet harbour at six" },
];
const tool = (name: string) => ({ name, description: `It does ${name}.`, inputSchema: { type: "object" } });

let folder: string;
let port: number;
let reeve: ServerProcess;
let mcp: McpTestServer;
let settings: Record<string, string>;
let tokens: Record<"ada" | "grace", string>;
let serverAsset: string;

async function call(method: string, path: string, body?: object, as?: string) {
  const headers = { "content-type": "application/json", ...(as ? { authorization: `Bearer ${as}` } : {}) };
  const url = `http://127.0.0.1:${port}/api/v1${path}`;
  const answer = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const json = (await answer.json()) as any;
  if (answer.status >= 300) throw new Error(JSON.stringify(json));
  return json;
}

describe.each(["fastify", "express"])("on %s", (REEVE_ADAPTER) => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "reeve-proxies-"));
    port = await freePort();
    mcp = await startMcpServer({ tools: [tool("read"), tool("write")], callable: true });
    settings = { REEVE_ADAPTER, PORT: String(port), REEVE_EGRESS_ALLOW: `127.0.0.1:${mcp.port}` };
    reeve = await ServerProcess.spawn(folder, settings).ready();
    await call("POST", "/register", { organization: "Acme", ...ada });
    const first = (await call("POST", "/auth/signin", ada)).token;
    await call("POST", "/users", { ...grace, roles: ["governance_officer"] }, first);
    tokens = { ada: first, grace: (await call("POST", "/auth/signin", grace)).token };
    const server = await call("POST", "/ai/mcp-servers", { name: "Files", url: mcp.url }, tokens.ada);
    serverAsset = server.assetId;
    const { manifest } = await call("POST", `/ai/mcp-servers/${server.id}/scan`, undefined, tokens.ada);
    const manifestDigest = manifest.current;
    await call("POST", `/ai/mcp-servers/${server.id}/tools/approve`, { manifestDigest }, tokens.grace);
    const asks = (name: string, resource: object) => ({ action: { name }, resource });
    const policy = await call(
      "POST",
      "/ai-governance/policies",
      {
        ...{ name: "Behind the proxy", kind: "runtime", key: "behind-the-proxy" },
        rules: [
          {
            ...{ key: "look", effect: "allow", message: "Everybody may look at what it offers." },
            if: 'action.name in ["server/discover", "tools/list"]',
          },
          {
            ...{ key: "read", effect: "allow", message: "Everybody may read." },
            if: 'action.name == "tools/call" && has(asset.name) && asset.name.startsWith("read")',
          },
        ],
        tests: [{ name: "look", input: asks("tools/list", { type: "mcp_server", id: "x" }), expect: "allow" }],
      },
      tokens.ada,
    );
    await call("PUT", `/ai-governance/policies/${policy.id}`, { status: "active" }, tokens.grace);
  });
  afterAll(async () => {
    await reeve.stop("SIGTERM");
    await mcp.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("answers the client of Open Policy Agent, and denies what is no question", async () => {
    const headers = { authorization: `Bearer ${tokens.ada}` };
    const client = new OPAClient(`http://127.0.0.1:${port}`, { headers });
    const input = (tool: string) => ({
      ...{ subject: { type: "user", id: ada.username }, action: { name: "tools/call" } },
      resource: { type: "tool", id: tool, properties: { server: "Files" } },
    });
    expect(await client.evaluate("reeve/allow", input("read"))).toBe(true);
    expect(await client.evaluate("reeve/allow", input("write"))).toBe(false);
    expect(await client.evaluate("reeve/allow", { user: "alice", path: ["salary"] })).toBe(false);
    expect(await client.evaluate("reeve/decision", input("write"))).toMatchObject({
      allow: false,
      reasons: ["No rule in force speaks of it."],
    });
    const stranger = new OPAClient(`http://127.0.0.1:${port}`);
    await expect(stranger.evaluate("reeve/allow", input("read"))).rejects.toThrow();
  });

  describe.each(Object.entries(PROXIES))("behind %s", (name, proxy) => {
    /** A client of the official library in one era, through the proxy. */
    async function through(mode: "modern" | "legacy", token = tokens.ada) {
      const at = mkdtempSync(join(folder, `${name}-`));
      const { url, stop } = await startProxy(proxy, at, { reeve: port, mcp: mcp.port });
      onTestFinished(stop);
      const client = new Client(
        { name: "test", version: "1.0.0" },
        { versionNegotiation: { mode: mode === "modern" ? { pin: "2026-07-28" } : mode } },
      );
      const headers: Record<string, string> = token === "" ? {} : { authorization: `Bearer ${token}` };
      const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
      onTestFinished(() => client.close());
      const connected = () => client.connect(transport);
      return { client, connected, called: (tool: string) => client.callTool({ name: tool, arguments: {} }) };
    }

    it.skipIf(!proxy.program.path)(`lets through what is allowed, and nothing else${proxy.program.note}`, async () => {
      const { connected, called, client } = await through("modern");
      await connected();
      expect((await client.listTools()).tools).toHaveLength(2);
      expect((await called("read")).content).toEqual([{ type: "text", text: "read" }]);
      const before = [mcp.requests, mcp.called.length];
      await expect(called("write")).rejects.toThrow(/403/);
      expect([mcp.requests, mcp.called.length]).toEqual(before);
    });

    it.skipIf(!proxy.program.path)(`knows nobody without a token${proxy.program.note}`, async () => {
      const { connected } = await through("modern", "");
      const before = mcp.requests;
      await expect(connected()).rejects.toThrow();
      expect(mcp.requests).toBe(before);
    });

    it.skipIf(!proxy.program.path)(
      `denies the older protocol, whose calls it cannot see${proxy.program.note}`,
      async () => {
        const { connected } = await through("legacy");
        const before = mcp.requests;
        await expect(connected()).rejects.toThrow(/403/);
        expect(mcp.requests).toBe(before);
      },
    );

    it.skipIf(!proxy.program.path)(`stops with the halt of the server${proxy.program.note}`, async () => {
      const { connected, called } = await through("modern");
      await connected();
      const body = { scope: "mcp_server", target: serverAsset, reason: "It leaks." };
      const halt = await call("POST", "/ai/halts", body, tokens.ada);
      const before = mcp.requests;
      await expect(called("read")).rejects.toThrow(/403/);
      expect(mcp.requests).toBe(before);
      await call("POST", `/ai/halts/${halt.id}/lift`, { reason: "It does not." }, tokens.grace);
      expect((await called("read")).content).toEqual([{ type: "text", text: "read" }]);
    });

    it.skipIf(!proxy.program.path)(`lets nothing through while Reeve is away${proxy.program.note}`, async () => {
      const { connected, called } = await through("modern");
      await connected();
      await reeve.stop("SIGTERM");
      const before = mcp.requests;
      await expect(called("read")).rejects.toThrow();
      expect(mcp.requests).toBe(before);
      reeve = await ServerProcess.spawn(folder, settings).ready();
      expect((await called("read")).content).toEqual([{ type: "text", text: "read" }]);
    });
  });
});
