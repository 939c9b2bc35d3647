import { getEventListeners } from "node:events";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createRemoteJWKSet, customFetch, exportJWK, generateKeyPair, jwtVerify, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { type Egress, guardedEgress, guardedFetch } from "../../src/index.js";
import { canary, serve, speak } from "./servers.js";

const allowing = (port: number) => guardedEgress({ allow: [`127.0.0.1:${port}`] });

/** A real MCP server over streamable HTTP. Its one tool reports progress. */
function mcpServer(): Promise<number> {
  return serve(async (request, response) => {
    const server = new McpServer({ name: "probe target", version: "1.0.0" });
    server.registerTool("count", { description: "Counts to three" }, async (extra) => {
      for (const progress of [1, 2, 3]) {
        const progressToken = extra._meta?.progressToken ?? 0;
        await extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress } });
      }
      return { content: [{ type: "text", text: "three" }] };
    });
    const transport = new StreamableHTTPServerTransport({});
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(request, response);
  });
}

describe("a guarded fetch in the libraries it is made for", () => {
  it("carries the official MCP client, event streams included", async () => {
    const port = await mcpServer();
    const fetch = guardedFetch(allowing(port), { timeoutMs: 5_000, lifetimeMs: 20_000 });
    const client = new Client({ name: "reeve", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { fetch }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["count"]);
    const seen: number[] = [];
    const result = await client.callTool(
      { name: "count", arguments: {} },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    expect(result.content).toEqual([{ type: "text", text: "three" }]);
    expect(seen).toEqual([1, 2, 3]);
    await client.close();
  });

  it("keeps the MCP client from where it may not go", async () => {
    const bird = await canary();
    const transport = new StreamableHTTPClientTransport(new URL(`https://127.0.0.1:${bird.port}/mcp`), {
      fetch: guardedFetch(guardedEgress({ ports: [bird.port] })),
    });
    const connected = new Client({ name: "reeve", version: "1.0.0" }).connect(transport);
    await expect(connected).rejects.toMatchObject({ code: "target_not_allowed" });
    expect(bird.connections()).toBe(0);
  });

  it("carries the key sets of jose", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    const port = await serve(async (_request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: "a", alg: "ES256" }] }));
    });
    const keys = createRemoteJWKSet(new URL(`http://127.0.0.1:${port}/jwks`), {
      [customFetch]: guardedFetch(allowing(port)),
    });
    const token = await new SignJWT({ sub: "ada" }).setProtectedHeader({ alg: "ES256", kid: "a" }).sign(privateKey);
    expect((await jwtVerify(token, keys)).payload.sub).toBe("ada");
  });
});

describe("a guarded fetch", () => {
  it("hands over each part as it arrives", async () => {
    let more = () => {};
    const port = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n");
      more = () => response.end("data: 2\n\n");
    });
    const response = await guardedFetch(allowing(port))(`http://127.0.0.1:${port}/`);
    const parts = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await parts?.read())?.value).toBe("data: 1\n\n");
    more();
    expect((await parts?.read())?.value).toBe("data: 2\n\n");
    expect((await parts?.read())?.done).toBe(true);
  });

  it("sends what each form of a request says", async () => {
    const port = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { "content-type": type, "x-a": extra } = request.headers;
      response.end(JSON.stringify([request.method, request.url, type, extra, Buffer.concat(chunks).toString()]));
    });
    const fetch = guardedFetch(allowing(port));
    const url = `http://127.0.0.1:${port}/p?q=1`;
    const sent = async (...request: Parameters<typeof fetch>) => (await fetch(...request)).json();
    const form = new URLSearchParams({ grant_type: "client_credentials" });
    const typed = "application/x-www-form-urlencoded;charset=UTF-8";
    expect(await sent(url)).toEqual(["GET", "/p?q=1", null, null, ""]);
    expect(await sent(new URL(url), { headers: [["X-A", "b"]] })).toEqual(["GET", "/p?q=1", null, "b", ""]);
    expect(await sent(url, { method: "post", body: form })).toEqual([
      "POST",
      "/p?q=1",
      typed,
      null,
      "grant_type=client_credentials",
    ]);
    expect(await sent(new Request(url, { method: "PUT", body: "text", headers: { "x-a": "c" } }))).toEqual([
      "PUT",
      "/p?q=1",
      "text/plain;charset=UTF-8",
      "c",
      "text",
    ]);
    await expect(fetch(url, { method: "OPTIONS" })).rejects.toThrow(TypeError);
  });

  it("answers as fetch does", async () => {
    const port = await serve((request, response) => {
      if (request.url === "/moved") response.writeHead(302, { location: "/204" }).end("gone");
      else response.writeHead(Number(request.url?.slice(1)), { "X-A": "b" }).end();
    });
    const base = `http://127.0.0.1:${port}`;
    const fetch = guardedFetch(allowing(port), { redirects: 1 });
    const { status, ok, headers, body, url, redirected } = await fetch(`${base}/moved`);
    expect({ status, ok, body, url, redirected }).toEqual({
      status: 204,
      ok: true,
      body: null,
      url: `${base}/204`,
      redirected: true,
    });
    expect(headers.get("x-a")).toBe("b");
    expect((await fetch(`${base}/404`)).ok).toBe(false);
    expect((await fetch(`${base}/200`, { method: "HEAD" })).body).toBeNull();
    expect((await fetch(`${base}/moved`, { redirect: "manual" })).status).toBe(302);
    await expect(fetch(`${base}/moved`, { redirect: "error" })).rejects.toMatchObject({ code: "connector_error" });
    expect((await guardedFetch(allowing(port))(`${base}/moved`)).status).toBe(302);
  });

  it("cuts a stream at its cap and at its lifetime", async () => {
    const port = await speak((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const timer = setInterval(() => socket.write("a".repeat(1_000)), 5);
      socket.on("close", () => clearInterval(timer));
    });
    const url = `http://127.0.0.1:${port}/`;
    const capped = await guardedFetch(allowing(port), { maxBytes: 10_000 })(url);
    await expect(capped.text()).rejects.toMatchObject({ code: "connector_error", members: { reason: "too_large" } });
    const aged = await guardedFetch(allowing(port), { lifetimeMs: 500 })(url);
    await expect(aged.text()).rejects.toMatchObject({ code: "connector_timeout" });
  });

  it("lets a stream outlive the time for its headers", async () => {
    const port = await serve((_request, response) => {
      response.write("a");
      setTimeout(() => response.end("b"), 900);
    });
    const fetch = guardedFetch(allowing(port), { timeoutMs: 600, lifetimeMs: 10_000 });
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("ab");
  });

  it("ends with the caller's signal, with its reason: before, on the way and within the body", async () => {
    const reason = new Error("enough");
    const port = await speak((socket) => socket.write("HTTP/1.1 200 OK\r\n\r\na"));
    const silent = await speak(() => {});
    const fetch = guardedFetch(guardedEgress({ allow: ["127.0.0.1"] }));
    await expect(fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const waiting = new AbortController();
    const call = fetch(`http://127.0.0.1:${silent}/`, { signal: waiting.signal });
    setTimeout(() => waiting.abort(reason), 30);
    await expect(call).rejects.toBe(reason);
    const reading = new AbortController();
    const response = await fetch(`http://127.0.0.1:${port}/`, { signal: reading.signal });
    setTimeout(() => reading.abort(reason), 30);
    await expect(response.text()).rejects.toBe(reason);
  });

  it("holds on to no signal that outlives the call", async () => {
    const port = await serve((_request, response) => response.end("a"));
    const { signal } = new AbortController();
    const egress = allowing(port);
    const { body } = await egress.stream({ url: `http://127.0.0.1:${port}/`, signal });
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    await body.cancel();
    await expect(egress.stream({ url: "https://127.0.0.1/", signal })).rejects.toThrow();
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("works over an egress of the host's own that does not stream", async () => {
    const asked: unknown[] = [];
    const egress: Egress = {
      async request(request) {
        asked.push(request);
        return { status: 200, headers: { "content-type": "application/json" }, body: Buffer.from('{"a":1}') };
      },
    };
    const response = await guardedFetch(egress, { maxBytes: 9, lifetimeMs: 5 })("https://a.example/b", {
      headers: { c: "d" },
    });
    expect(await response.json()).toEqual({ a: 1 });
    expect(asked).toEqual([
      { url: "https://a.example/b", method: "GET", headers: { c: "d" }, maxBytes: 9, redirects: 0 },
    ]);
  });
});
