import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Script } from "node:vm";
import { createDatabase, freePort, runSql } from "@reeve/testkit/postgres";
import { expect, inject, it, onTestFinished } from "vitest";
import { ServerProcess } from "./server-process.js";

async function start(settings: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), "reeve-front-"));
  const PORT = String(await freePort());
  const server = ServerProcess.spawn(directory, { ...settings, PORT });
  onTestFinished(async () => {
    server.child.kill("SIGKILL");
    await server.ended;
    rmSync(directory, { recursive: true, force: true });
  });
  await server.ready();
  return (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${PORT}${path}`, { redirect: "manual", ...init });
}

it.each(["fastify", "express"])("answers probes and shows the page to set a password on %s", async (REEVE_ADAPTER) => {
  const REEVE_PROBE_PORT = String(await freePort());
  const get = await start({ REEVE_ADAPTER, REEVE_PROBE_PORT });
  for (const path of ["/livez", "/readyz", "/healthz"]) {
    const answer = await get(path);
    expect([path, answer.status, await answer.text()]).toEqual([path, 200, "ok"]);
    const apart = await fetch(`http://127.0.0.1:${REEVE_PROBE_PORT}${path}`);
    expect([path, apart.status, await apart.text()]).toEqual([path, 200, "ok"]);
    expect(answer.headers.get("strict-transport-security")).toBeNull();
  }
  expect((await get("/readyz", { method: "POST" })).status).toBe(404);

  const page = await get("/set-password");
  const [html, policy] = [await page.text(), page.headers.get("content-security-policy") ?? ""];
  expect(policy).toContain("default-src 'none'");
  for (const tag of ["script", "style"]) {
    const [, source = ""] = new RegExp(`<${tag}>(.*?)</${tag}>`, "s").exec(html) ?? [];
    if (tag === "script") expect(() => new Script(source)).not.toThrow();
    expect(policy).toContain(`${tag}-src 'sha256-${createHash("sha256").update(source).digest("base64")}'`);
  }
  expect(html).not.toMatch(/(src|href)=/);
});

it("O6 is not ready on a database that only reads, and says that it reads", async () => {
  const database = await createDatabase(inject("postgresUrl"));
  onTestFinished(() => database.drop());
  const get = await start({ REEVE_STORE: database.url });
  const probe = async (path: string) => {
    const answer = await get(path);
    return [answer.status, await answer.text()];
  };
  expect(await probe("/readyz/reads")).toEqual([200, "ok"]);
  const name = new URL(database.url).pathname.slice(1);
  await runSql(database.url, `alter database ${name} set default_transaction_read_only = on`);
  await runSql(
    database.url,
    "select pg_terminate_backend(pid) from pg_stat_activity where usesysid is not null and datname = current_database() and pid <> pg_backend_pid()",
  );
  await expect.poll(() => probe("/readyz")).toEqual([503, "storage_unavailable writes"]);
  expect(await probe("/readyz/reads")).toEqual([200, "ok"]);
});

it("S26 hides the reference, speaks of https, and leaves the page to set a password to who has another", async () => {
  const get = await start({
    REEVE_DOCS: "off",
    REEVE_CONSOLE: "off",
    REEVE_BASE_URL: "https://reeve.acme.example",
    REEVE_SET_PASSWORD_URL: "https://app.acme.example/welcome",
  });
  const answers = await Promise.all(
    ["/", "/console", "/docs", "/openapi.json", "/set-password"].map((path) => get(path)),
  );
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  for (const { headers } of [...answers, await get("/livez"), await get("/api/v1/monitor/ping")])
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
});

it("shows the document without the page", async () => {
  const get = await start({ REEVE_DOCS: "openapi" });
  expect([(await get("/docs")).status, (await get("/openapi.json")).status]).toEqual([404, 200]);
});

it("counts requests by the address that a trusted proxy forwards", async () => {
  const remaining = async (settings: Record<string, string>) => {
    const get = await start(settings);
    const limits = [];
    for (const client of ["203.0.113.1", "203.0.113.2"]) {
      const answer = await get("/.well-known/jwks.json", { headers: { "x-forwarded-for": client } });
      limits.push(/r=(\d+)/.exec(answer.headers.get("ratelimit") ?? "")?.[1]);
    }
    return limits;
  };
  const [first, second] = await remaining({ REEVE_TRUST_PROXY: "127.0.0.0/8" });
  expect(first).toEqual(expect.any(String));
  expect(second).toBe(first);
  const [before, after] = await remaining({});
  expect(after).not.toBe(before);
});
