import { randomBytes } from "node:crypto";
import { createDatabase, type TestDatabase } from "@reeve/testkit/postgres";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createApp } from "../src/app.js";

let database: TestDatabase;
let app: FastifyInstance;
let base: string;

beforeAll(async () => {
  database = await createDatabase(inject("postgresUrl"));
  app = await createApp({
    databaseUrl: database.url,
    masterKey: randomBytes(32).toString("base64"),
    baseUrl: "http://127.0.0.1:3000",
  });
  base = await app.listen({ host: "127.0.0.1", port: 0 });
});

afterAll(async () => {
  await app.close();
  await database.drop();
});

const post = (path: string, body: unknown, token?: string) =>
  fetch(base + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });

describe("a Fastify application with Reeve under a prefix", () => {
  it("registers an asset below the prefix", async () => {
    const account = { username: "ada@acme.example", password: "violet tram at noon" };
    const registered = await post("/governance/api/v1/register", { organization: "Acme", ...account });
    expect(registered.status).toBe(201);
    const { token } = (await (await post("/governance/api/v1/auth/signin", account)).json()) as { token: string };
    const created = await post("/governance/api/v1/ai-assets", { name: "Support agent", assetType: "agent" }, token);
    expect(created.status).toBe(201);
    const location = created.headers.get("location") ?? "";
    expect(location).toMatch(/^\/governance\/api\/v1\/ai-assets\/ast_/);
    const read = await fetch(base + location, { headers: { authorization: `Bearer ${token}` } });
    expect(await read.json()).toMatchObject({ name: "Support agent", status: "registered" });
  });

  it("leaves the application's own routes alone", async () => {
    expect(await (await fetch(`${base}/orders/7`)).json()).toEqual({ order: "7" });
    expect((await fetch(`${base}/api/v1/monitor/ping`)).status).toBe(404);
  });
});
