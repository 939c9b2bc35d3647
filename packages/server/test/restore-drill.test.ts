import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@reeve/testkit/postgres";
import { expect, it, onTestFinished } from "vitest";
import { ServerProcess } from "./server-process.js";

const owner = { username: "owner@acme.example", password: "quiet harbour at four" };

it("comes back from a backup that was made under load, without what was revoked since", async () => {
  const directory = mkdtempSync(join(tmpdir(), "reeve-drill-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const PORT = String(await freePort());
  const env = { REEVE_MASTER_KEY: randomBytes(32).toString("base64"), PORT };
  const run = async (command: string, rest: string[] = []) => {
    const running = ServerProcess.run(command, directory, env, rest);
    return { code: await running.ended, errors: running.errors, output: running.output };
  };
  const at = `http://127.0.0.1:${PORT}/api/v1`;
  const post = (path: string, body: object, token?: string) =>
    fetch(`${at}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    });
  const signIn = async () => (await (await post("/auth/signin", owner)).json()) as { token: string };
  const me = async (token: string) =>
    (await fetch(`${at}/me`, { headers: { authorization: `Bearer ${token}` } })).status;

  const server = await ServerProcess.spawn(directory, env).ready();
  expect((await post("/register", { organization: "Acme", ...owner })).status).toBe(201);
  const { token } = await signIn();
  expect(await me(token)).toBe(200);
  const assets = Array.from({ length: 20 }, (_, at) => post("/ai-assets", { name: `Asset ${at}` }, token));
  const backedUp = await run("backup", ["kept.backup"]);
  expect(backedUp, backedUp.errors).toMatchObject({ code: 0 });
  for (const { status } of await Promise.all(assets)) expect(status).toBe(201);
  await post("/auth/signout", {}, token);
  expect(await me(token)).toBe(401);
  expect(await server.stop("SIGTERM")).toBe(0);

  rmSync(join(directory, "data"), { recursive: true });
  const restored = await run("restore", ["kept.backup"]);
  expect(restored).toMatchObject({
    code: 0,
    errors: expect.stringMatching(/[1-9]\d* tokens, codes, links and keys of/),
  });
  expect((await run("verify-events")).code).toBe(0);
  const again = await ServerProcess.spawn(directory, env).ready();
  expect(await me(token)).toBe(401);
  expect(await me((await signIn()).token)).toBe(200);
  expect(await again.stop("SIGTERM")).toBe(0);
}, 300_000);
