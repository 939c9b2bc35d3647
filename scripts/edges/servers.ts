import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ControlPlane } from "@reeve/core";
import { startMcpServer } from "@reeve/testkit/mcp";
import { createDatabase } from "@reeve/testkit/postgres";
import { startService as startAgentLoop } from "../../examples/agent-loop/src/service.js";
import { hosts } from "../../examples/existing-app/src/hosts/index.js";
import { startGoverned as startGovernedShop } from "../../examples/existing-app/test/matrix/running.js";
import { stores } from "../../examples/existing-app/test/matrix/stores.js";
import { createApp as createSessionApp } from "../../examples/express-session/src/app.js";
import { createApp as createOidcApp } from "../../examples/fastify-oidc/src/app.js";
import { createApp as createPostgresApp } from "../../examples/fastify-postgres/src/app.js";
import { startGateway } from "../../examples/mcp-gateway/src/gateway.js";
import { startService as startGoverned } from "../../examples/mcp-gateway/src/service.js";
import { startNotesServer } from "../../examples/tour/src/notes-server.js";
import { root } from "../lib/workspace.mjs";
import { startTeams } from "./teams.js";

/** A server of an example, as its tests and those who copy it start it. */
export interface Edge {
  /** Sources that listen, from the root. */
  readonly sources: readonly string[];
  /** Paths that take a body: of the example itself, and of Reeve in it. */
  readonly paths: readonly string[];
  /** A path that wants a credential; absent where there is none. */
  readonly guarded?: string;
  start(postgresUrl: string): Promise<RunningEdge>;
}

export interface RunningEdge {
  readonly url: string;
  stop(): Promise<unknown>;
}

const masterKey = randomBytes(32).toString("base64");
const baseUrl = "http://127.0.0.1:3000";
const ASSETS = "/api/v1/ai-assets";

async function listening(app: { listen(port: number, host: string): Server }, plane: ControlPlane) {
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    server.close().closeAllConnections();
    await plane.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

async function shop(start: (typeof hosts)[keyof typeof hosts]): Promise<RunningEdge> {
  const database = await stores.SQLite();
  const { url, end } = await startGovernedShop(start, database, false, { prefix: "", when: "first" });
  return { url, stop: end };
}

const shopEdge = (name: keyof typeof hosts, file: string): [string, Edge] => [
  `existing-app on ${name}`,
  {
    sources: [`examples/existing-app/src/hosts/${file}.ts`, "examples/existing-app/src/host.ts"],
    paths: ["/api/v1/orders", ASSETS],
    guarded: ASSETS,
    start: () => shop(hosts[name]),
  },
];

/** Every server of the examples, and of the guides' code that serves by itself. */
export const EDGES: Readonly<Record<string, Edge>> = {
  "mcp-gateway": {
    sources: ["examples/mcp-gateway/src/gateway.ts", "examples/mcp-gateway/src/edge.ts"],
    paths: ["/mcp", "/"],
    guarded: "/mcp",
    async start() {
      const service = await startGoverned();
      const gateway = await startGateway({ url: service.url, serverId: "mcp_none", serverAssetId: "ast_none" });
      const stop = async () => {
        await gateway.close();
        await service.close();
      };
      return { url: gateway.url.replace("/mcp", ""), stop };
    },
  },
  "the control plane behind mcp-gateway": {
    sources: ["examples/mcp-gateway/src/service.ts"],
    paths: [ASSETS],
    guarded: ASSETS,
    start: async () => {
      const { url, close } = await startGoverned();
      return { url, stop: close };
    },
  },
  "agent-loop": {
    sources: ["examples/agent-loop/src/service.ts"],
    paths: [ASSETS],
    guarded: ASSETS,
    start: async () => {
      const { url, close } = await startAgentLoop();
      return { url, stop: close };
    },
  },
  "express-session": {
    sources: ["examples/express-session/src/main.ts"],
    paths: ["/login", "/logout", `/governance${ASSETS}`],
    guarded: `/governance${ASSETS}`,
    async start() {
      const employees = [{ id: "e-1", email: "ada@acme.example", password: "seven green lanterns", role: "operator" }];
      const made = await createSessionApp({ employees, baseUrl, masterKey, sessionSecret: masterKey });
      return listening(made.app, made.controlPlane);
    },
  },
  "express-sqlite": {
    sources: ["examples/express-sqlite/src/main.cjs"],
    paths: ["/orders", `/governance${ASSETS}`],
    guarded: `/governance${ASSETS}`,
    async start() {
      const folder = mkdtempSync(join(tmpdir(), "reeve-edge-"));
      // CommonJS with the built packages, as in an application that uses require().
      const { createApp } = createRequire(join(root, "package.json"))("./examples/express-sqlite/src/app.cjs");
      const { app, controlPlane } = createApp({ file: join(folder, "app.sqlite"), masterKey, baseUrl });
      const { url, stop } = await listening(app, controlPlane);
      return { url, stop: () => stop().finally(() => rmSync(folder, { recursive: true, force: true })) };
    },
  },
  "fastify-oidc": {
    sources: ["examples/fastify-oidc/src/main.ts"],
    paths: [`/governance${ASSETS}`],
    guarded: `/governance${ASSETS}`,
    async start() {
      const issuer = "https://login.acme.example";
      const app = await createOidcApp({ issuer, audience: baseUrl, baseUrl, masterKey });
      return { url: await app.listen({ host: "127.0.0.1", port: 0 }), stop: () => app.close() };
    },
  },
  "fastify-postgres": {
    sources: ["examples/fastify-postgres/src/main.ts"],
    paths: ["/orders/1", `/governance${ASSETS}`],
    guarded: `/governance${ASSETS}`,
    async start(postgresUrl) {
      const database = await createDatabase(postgresUrl);
      const app = await createPostgresApp({ databaseUrl: database.url, masterKey, baseUrl });
      const url = await app.listen({ host: "127.0.0.1", port: 0 });
      return { url, stop: () => app.close().finally(() => database.drop()) };
    },
  },
  ...Object.fromEntries([
    shopEdge("Express 4", "express"),
    shopEdge("Express 5", "express"),
    shopEdge("Fastify", "fastify"),
    shopEdge("NestJS", "nest"),
    shopEdge("Hono", "hono"),
    shopEdge("plain http", "plain-http"),
  ]),
  "the notes server of the tour": {
    sources: [],
    paths: ["/mcp"],
    start: () => startNotesServer("Reads a note."),
  },
  "the MCP server of the testkit": {
    sources: ["packages/testkit/src/mcp/mcp-server.ts"],
    paths: ["/mcp"],
    start: () => startMcpServer({ tools: [] }),
  },
  "the teams of docs/guides/write-a-connector.md": {
    sources: ["docs/guides/write-a-connector.md"],
    paths: ["/memberships", "/teams/one/members/two"],
    guarded: "/memberships",
    start: startTeams,
  },
};
