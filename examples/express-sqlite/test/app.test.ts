import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@reeve/testkit/postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// A separate process with CommonJS and the built packages, as in an existing application that uses require().
const directory = mkdtempSync(join(tmpdir(), "reeve-express-"));
let application: ChildProcess;
let base: string;

beforeAll(async () => {
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  application = spawn(process.execPath, [fileURLToPath(new URL("../src/main.cjs", import.meta.url))], {
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_FILE: join(directory, "app.sqlite"),
      REEVE_MASTER_KEY: randomBytes(32).toString("base64"),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    application.stdout?.once("data", () => resolve());
    application.once("exit", (code) => reject(new Error(`the application ended (${code}); are the packages built?`)));
  });
});

afterAll(() => {
  application.kill("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

const post = (path: string, body: unknown, token?: string) =>
  fetch(base + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });

describe("an Express application with Reeve under a prefix", () => {
  it("registers an asset below the prefix", async () => {
    const account = { username: "ada@acme.example", password: "violet tram at noon" };
    const registered = await post("/governance/api/v1/register", { organization: "Acme", ...account });
    expect(registered.status).toBe(201);
    const { token } = (await (await post("/governance/api/v1/auth/signin", account)).json()) as { token: string };
    const created = await post("/governance/api/v1/ai-assets", { name: "Support agent", assetType: "agent" }, token);
    expect(created.status).toBe(201);
    expect(created.headers.get("location")).toMatch(/^\/governance\/api\/v1\/ai-assets\/ast_/);
  });

  it("leaves the application's own routes alone", async () => {
    expect(await (await fetch(`${base}/orders/7`)).json()).toEqual({ order: "7" });
    const order = await post("/orders", { item: "tea" });
    expect([order.status, await order.json()]).toEqual([201, { item: "tea" }]);
    expect((await fetch(`${base}/api/v1/monitor/ping`)).status).toBe(404);
  });

  it("stops on SIGTERM", async () => {
    const exited = once(application, "exit");
    application.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
  });
});
