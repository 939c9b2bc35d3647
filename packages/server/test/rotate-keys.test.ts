import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, freePort } from "@reeve/testkit/postgres";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { ServerProcess } from "./server-process.js";

const account = { username: "ada@acme.example", password: "violet tram at noon" };
const newKey = () => randomBytes(32).toString("base64");

function place() {
  const directory = mkdtempSync(join(tmpdir(), "reeve-rotation-"));
  const running: ServerProcess[] = [];
  onTestFinished(async () => {
    for (const { child, ended } of running) {
      child.kill("SIGKILL");
      await ended;
    }
    rmSync(directory, { recursive: true, force: true });
  });
  const keep = (server: ServerProcess) => {
    running.push(server);
    return server;
  };
  return {
    rotate: (settings: Record<string, string>, ...options: string[]) =>
      keep(ServerProcess.run("rotate-keys", directory, settings, options)),
    serve: (settings: Record<string, string>) => keep(ServerProcess.spawn(directory, settings)),
  };
}

const stores: [string, () => Promise<Record<string, string>>][] = [
  ["SQLite", async () => ({})],
  ["PostgreSQL", async () => ({ REEVE_STORE: (await createDatabase(inject("postgresUrl"))).url })],
];

describe.each(stores)("rotating the master key on %s", (_name, storeSettings) => {
  it("goes on under a running server, after which the old key opens nothing and the new one all", async () => {
    const { rotate, serve } = place();
    const [first, second] = [newKey(), newKey()];
    const PORT = String(await freePort());
    const settings = { ...(await storeSettings()), PORT };
    const post = async (path: string, body: object) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(`http://127.0.0.1:${PORT}/api/v1${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as { token: string } };
    };
    const list = async (token: string) =>
      (await fetch(`http://127.0.0.1:${PORT}/api/v1/users`, { headers: { authorization: `Bearer ${token}` } })).status;

    const old = await serve({ ...settings, REEVE_MASTER_KEY: first }).ready();
    expect((await post("/register", { organization: "Acme", ...account })).status).toBe(201);
    expect(await old.stop("SIGTERM")).toBe(0);

    const both = { ...settings, REEVE_MASTER_KEY: `2:${second},1:${first}` };
    const server = await serve(both).ready();
    const { token } = (await post("/auth/signin", account)).body;
    const rotation = rotate(both, "--data-keys");
    expect(await rotation.ended).toBe(0);
    expect(rotation.errors).toMatch(/^Done: [1-9]\d* keys wrapped anew, [1-9]\d* secrets sealed anew, in /m);
    for (const secret of [first, second]) expect(rotation.errors + rotation.output).not.toContain(secret);
    expect(await list(token)).toBe(200);
    expect((await post("/auth/signin", account)).status).toBe(200);
    expect(await server.stop("SIGTERM")).toBe(0);

    const stale = rotate({ ...settings, REEVE_MASTER_KEY: first });
    expect(await stale.ended).toBe(1);
    expect(stale.errors).toMatch(/^reeve: the master key is not the one [^\n]+\n$/);
    const after = await serve({ ...settings, REEVE_MASTER_KEY: `2:${second}` }).ready();
    expect(await list(token)).toBe(200);
    expect(await after.stop("SIGTERM")).toBe(0);
  });
});

it("takes no option it does not know", async () => {
  const rotation = place().rotate({}, "--all");
  expect(await rotation.ended).toBe(1);
  expect(rotation.errors).toBe("reeve: unknown option '--all'; see reeve --help\n");
});
