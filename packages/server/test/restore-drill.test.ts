import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@reeve/testkit/postgres";
import { expect, it, onTestFinished } from "vitest";
import { runCommand } from "./run-command.js";
import { ServerProcess } from "./server-process.js";

const owner = { username: "owner@acme.example", password: "quiet harbour at four" };

it("comes back from a backup that was made under load, without what was revoked since", async () => {
  const directory = mkdtempSync(join(tmpdir(), "reeve-drill-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const PORT = String(await freePort());
  const env = { REEVE_MASTER_KEY: randomBytes(32).toString("base64"), PORT };
  const run = (...args: string[]) => runCommand(args, directory, env);
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

  /** A checkpoint of all that the tenant has, as an archive would keep it. */
  const newestCheckpoint = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const read = async (path: string) => (await fetch(`${at}${path}`, { headers })).json();
    const { items } = (await read("/ai/activity?size=1")) as { items: [{ sequence: string; eventhash: string }] };
    const { tenant } = (await read("/me")) as { tenant: { id: string } };
    const [{ sequence, eventhash: headHash }] = items;
    const covered = { fromSeq: 1, toSeq: Number(sequence), headHash, merkleRoot: "" };
    return { format: "reeve-checkpoint/1", chainid: tenant.id, ...covered, at: new Date().toISOString() };
  };

  const server = await ServerProcess.spawn(directory, env).ready();
  expect((await post("/register", { organization: "Acme", ...owner })).status).toBe(201);
  const { token } = await signIn();
  expect(await me(token)).toBe(200);
  const assets = Array.from({ length: 20 }, (_, at) => post("/ai-assets", { name: `Asset ${at}` }, token));
  const backedUp = await run("backup", "kept.backup");
  expect(backedUp, backedUp.errors).toMatchObject({ code: 0 });
  for (const { status } of await Promise.all(assets)) expect(status).toBe(201);
  expect((await post("/ai-assets", { name: "Lost asset" }, token)).status).toBe(201);
  const anchored = await newestCheckpoint(token);
  await post("/auth/signout", {}, token);
  expect(await me(token)).toBe(401);
  expect(await server.stop("SIGTERM")).toBe(0);

  rmSync(join(directory, "data"), { recursive: true });
  const restored = await run("restore", "kept.backup");
  expect(restored).toMatchObject({
    code: 0,
    errors: expect.stringMatching(/[1-9]\d* tokens, codes, links and keys of/),
  });
  expect((await run("verify-events")).code).toBe(0);
  const lost = { tenantId: anchored.chainid, sequence: anchored.toSeq };
  writeFileSync(join(directory, "anchored.jsonl"), `${JSON.stringify(anchored)}\n`);
  const compared = await run("verify-events", "--checkpoints", "anchored.jsonl");
  expect([compared.code, JSON.parse(compared.output)]).toEqual([2, expect.objectContaining(lost)]);
  rmSync(join(directory, "data"), { recursive: true });
  const known = await run("restore", "kept.backup", "--checkpoints", "anchored.jsonl");
  expect([known.code, JSON.parse(known.output)]).toEqual([2, expect.objectContaining(lost)]);
  expect(known.errors).toContain("1 chains that end before a checkpoint");
  const again = await ServerProcess.spawn(directory, env).ready();
  expect(await me(token)).toBe(401);
  expect(await me((await signIn()).token)).toBe(200);
  expect(await again.stop("SIGTERM")).toBe(0);
}, 300_000);
