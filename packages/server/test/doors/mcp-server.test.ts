import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { reeve as expressReeve } from "@reeve/adapter-express";
import { reeve as fastifyReeve } from "@reeve/adapter-fastify";
import { type ControlPlane, createControlPlane, createMemoryStore, silentLogger } from "@reeve/core";
import { mcpConnector } from "@reeve/mcp";
import { freePort } from "@reeve/testkit/postgres";
import express from "express";
import fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ServerProcess } from "../server-process.js";

const ada = { username: "ada@acme.example", password: "violet tram at noon" };

/** A running Reeve, and what stops it. */
interface Served {
  readonly base: string;
  stop(): Promise<unknown>;
}

const inMemory = (base: string): ControlPlane =>
  createControlPlane({
    store: createMemoryStore(),
    masterKey: randomBytes(32),
    baseUrl: `${base}/governance`,
    registration: "open",
    logger: silentLogger,
    doors: true,
    mcp: mcpConnector(),
  });

const HOSTS: Readonly<Record<string, (port: number) => Promise<Served>>> = {
  "Express, in memory, under a prefix": async (port) => {
    const base = `http://127.0.0.1:${port}`;
    const plane = inMemory(base);
    const server = createServer(express().use("/governance", expressReeve(plane)));
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    const stop = async () => {
      server.closeAllConnections();
      server.close();
      await plane.close();
    };
    return { base: `${base}/governance`, stop };
  },
  "Fastify, in memory, under a prefix": async (port) => {
    const base = `http://127.0.0.1:${port}`;
    const plane = inMemory(base);
    const app = fastify();
    await app.register(fastifyReeve, { controlPlane: plane, prefix: "/governance" });
    await app.listen({ port, host: "127.0.0.1" });
    return { base: `${base}/governance`, stop: () => app.close().then(() => plane.close()) };
  },
  "the standalone server on Express, on SQLite": (port) => standalone("express", port),
  "the standalone server on Fastify, on SQLite": (port) => standalone("fastify", port),
};

async function standalone(REEVE_ADAPTER: string, port: number): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), "reeve-mcp-server-"));
  const running = await ServerProcess.spawn(folder, { REEVE_ADAPTER, PORT: String(port) }).ready();
  const stop = async () => {
    await running.stop("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  };
  return { base: `http://127.0.0.1:${port}`, stop };
}

describe.each(Object.entries(HOSTS))("%s", (_name, serve) => {
  let served: Served;
  let token: string;
  let issued: { clientId: string; clientSecret: string };

  async function call(method: string, path: string, body?: object) {
    const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const url = `${served.base}/api/v1${path}`;
    const answer = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    const json = (await answer.json()) as any;
    if (!answer.ok) throw new Error(JSON.stringify(json));
    return json;
  }

  beforeAll(async () => {
    served = await serve(await freePort());
    await call("POST", "/register", { organization: "Acme", ...ada });
    token = (await call("POST", "/auth/signin", ada)).token;
    const scopes = ["ai-asset:read", "ai-asset:write", "ai-model:write"];
    const { id } = await call("POST", "/ai/identities", { name: "Helper", kind: "workload", scopes });
    issued = await call("POST", `/ai/identities/${id}/credentials`, {});
  });
  afterAll(() => served?.stop());

  it.each(["modern", "legacy"] as const)(
    "serves the official client, which finds its token by itself: %s",
    async (era) => {
      const mode = era === "modern" ? { pin: "2026-07-28" } : era;
      const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
      onTestFinished(() => client.close());
      const { clientId, clientSecret } = issued;
      const authProvider = new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer: served.base });
      const fetched: string[] = [];
      const transport = new StreamableHTTPClientTransport(new URL(`${served.base}/mcp`), {
        authProvider,
        // Behind a prefix the metadata of the issuer stands elsewhere than clients look, so the host passes that address on.
        fetch: (input, init) => {
          const url = String(input).replace(
            "/.well-known/oauth-authorization-server/governance",
            "/governance/.well-known/oauth-authorization-server",
          );
          fetched.push(url);
          return fetch(url, init);
        },
      });
      await client.connect(transport);
      const { tools } = await client.listTools();
      const names = tools.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(["me_read", "aiAssets_list", "aiAssets_create"]));
      expect(names).not.toContain("users_list");
      const args = { body: { name: `Model of ${era}`, assetType: "model" }, idempotencyKey: `key-of-${era}` };
      const made = await client.callTool({ name: "aiAssets_create", arguments: args });
      expect(made.structuredContent).toMatchObject({ status: 201, answer: { governanceState: "unreviewed" } });
      const again = await client.callTool({ name: "aiAssets_create", arguments: args });
      expect(again.structuredContent).toEqual(made.structuredContent);
      const wrong = await client.callTool({ name: "aiAssets_read", arguments: { id: "ast_x" } });
      expect(wrong).toMatchObject({ isError: true, structuredContent: { status: 404 } });
      await expect(client.callTool({ name: "aiAssets_changeGovernanceState", arguments: {} })).rejects.toThrow();
      expect(fetched).toContain(`${served.base}/.well-known/oauth-protected-resource/mcp`);
      const own = authProvider.tokens()?.access_token ?? "";
      expect(JSON.parse(atob(own.split(".")[1] ?? "")).aud).toBe(`${served.base}/mcp`);
      const elsewhere = await fetch(`${served.base}/api/v1/ai-assets`, { headers: { authorization: `Bearer ${own}` } });
      expect(elsewhere.status).toBe(401);
    },
  );
});
