import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import { connect, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { createDatabase, freePort, startPostgres } from "@reeve/testkit/postgres";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { ServerProcess } from "./server-process.js";

let directory: string;
let started: ServerProcess[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "reeve-standalone-"));
  started = [];
});

afterEach(async () => {
  for (const server of started) {
    server.child.kill("SIGKILL");
    await server.ended;
  }
  rmSync(directory, { recursive: true, force: true });
});

function spawn(settings: Record<string, string>): ServerProcess {
  const server = ServerProcess.spawn(directory, settings);
  started.push(server);
  return server;
}

async function start(settings: Record<string, string> = {}) {
  const PORT = settings.PORT ?? String(await freePort());
  const server = await spawn({ ...settings, PORT }).ready();
  return { server, base: `http://127.0.0.1:${PORT}` };
}

const account = { username: "ada@acme.example", password: "violet tram at noon" };

async function post(url: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const signIn = (base: string, as = account) => post(`${base}/api/v1/auth/signin`, as);

describe.each(["fastify", "express"])("the standalone server on %s", (REEVE_ADAPTER) => {
  it("starts from nothing, answers, logs without secrets, and stops", async () => {
    const { server, base } = await start({ REEVE_ADAPTER });
    expect(server.errors).toContain(
      `Reeve is ready at ${base}\nConsole: ${base}/console\nReference page: ${base}/docs\n`,
    );
    const statusOf = async (path: string) => (await fetch(base + path, { redirect: "manual" })).status;
    const paths = [
      "/api/v1/monitor/ping",
      "/agents/health",
      "/docs",
      "/console",
      "/console/inbox",
      "/openapi.json",
      "/",
      "/nothing",
    ];
    expect(await Promise.all(paths.map(statusOf))).toEqual([200, 200, 200, 200, 200, 200, 302, 404]);

    expect((await post(`${base}/api/v1/register`, { organization: "Acme", ...account })).status).toBe(201);
    const { token } = (await signIn(base)).body as { token: string };
    const list = await fetch(`${base}/api/v1/ai-assets?search=secret-word`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(list.status).toBe(200);

    expect(await server.stop("SIGTERM", "SIGTERM", "SIGINT")).toBe(0);
    const logged = server.records.find(({ operationId }) => operationId === "aiAssets.list");
    expect(logged).toMatchObject({ method: "GET", path: "/api/v1/ai-assets", status: 200, msg: "request" });
    expect(logged).toMatchObject({ ms: expect.any(Number), requestId: list.headers.get("x-request-id") });
    for (const secret of [token, account.password, "secret-word"]) expect(server.output).not.toContain(secret);
  });
});

describe("the standalone server", () => {
  it("keeps data, key and tokens over a restart", async () => {
    const first = await start();
    await post(`${first.base}/api/v1/register`, { organization: "Acme", ...account });
    const { token } = (await signIn(first.base)).body as { token: string };
    expect(await first.server.stop("SIGINT")).toBe(0);
    const keyFile = join(directory, "data/reeve.sqlite.master-key");
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);

    const second = await start({ PORT: new URL(first.base).port });
    const users = await fetch(`${second.base}/api/v1/users`, { headers: { authorization: `Bearer ${token}` } });
    expect(users.status).toBe(200);
    expect(await second.server.stop("SIGTERM")).toBe(0);
  });

  it("never makes a second key for a database, and refuses a wrong one", async () => {
    const { server } = await start();
    await server.stop("SIGTERM");
    const keyFile = join(directory, "data/reeve.sqlite.master-key");
    const key = readFileSync(keyFile, "utf8");
    rmSync(keyFile);
    const keyless = spawn({});
    expect(await keyless.ended).toBe(1);
    expect(keyless.errors).toMatch(/^reeve: REEVE_MASTER_KEY is required: .+\n$/);
    const wrong = spawn({ REEVE_MASTER_KEY: Buffer.from(key, "base64").reverse().toString("base64") });
    expect(await wrong.ended).toBe(1);
    expect(wrong.errors).toMatch(/^reeve: the master key is not the one [^\n]+\n$/);
    writeFileSync(keyFile, "half a key");
    const broken = spawn({});
    expect(await broken.ended).toBe(1);
    expect(broken.errors).toMatch(/^reeve: .+master-key does not hold a master key[^\n]+\n$/);
  });

  it("lets a request under way finish, and refuses new ones, while it stops", async () => {
    const { server, base } = await start();
    const body = JSON.stringify(account);
    const slow = request(`${base}/api/v1/auth/signin`, {
      method: "POST",
      headers: { "content-type": "application/json", "content-length": body.length },
    });
    const answered = once(slow, "response") as Promise<[IncomingMessage]>;
    slow.write(body.slice(0, 10));
    await fetch(`${base}/api/v1/monitor/ping`);
    server.child.kill("SIGTERM");
    while (!server.output.includes('"stopping"')) await once(server.child.stdout as Readable, "data");
    const late = await fetch(`${base}/api/v1/monitor/ping`).then(
      ({ status }) => status,
      () => "not connected",
    );
    expect([503, "not connected"]).toContain(late);
    slow.end(body.slice(10));
    const [answer] = await answered;
    expect(answer.statusCode).toBe(401);
    answer.resume();
    expect(await server.ended).toBe(0);
  });

  it("touches nothing when a setting is bad", async () => {
    const server = spawn({ REEVE_ADAPTER: "koa" });
    expect(await server.ended).toBe(1);
    expect([server.output, server.errors]).toEqual([
      "",
      'reeve: REEVE_ADAPTER must be fastify or express, not "koa"\n',
    ]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it("says in one line that its port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as { port: number };
    const server = spawn({ PORT: String(port) });
    expect(await server.ended).toBe(1);
    expect(server.errors).toBe(`reeve: 127.0.0.1 port ${port} is in use already; set PORT to a free one\n`);
    other.close();
  });

  it("says in one line that PostgreSQL cannot be reached, without the password", async () => {
    const REEVE_STORE = `postgres://app:s3cr3t@127.0.0.1:${await freePort()}/reeve`;
    const server = spawn({ REEVE_STORE, REEVE_START_SECONDS: "0" });
    expect(await server.ended).toBe(1);
    expect(server.errors).toMatch(/^reeve: cannot use PostgreSQL at 127\.0\.0\.1:\d+\/reeve: [^\n]+\n$/);
    expect(server.output + server.errors).not.toContain("s3cr3t");
  });

  it("O10 waits at its start for a database that is not there yet", async () => {
    const database = await createDatabase(inject("postgresUrl"));
    const [url, port] = [new URL(database.url), await freePort()];
    const server = spawn({ REEVE_STORE: database.url.replace(`:${url.port}/`, `:${port}/`) });
    await expect.poll(() => server.output, { timeout: 20_000 }).toContain("the database is waited for");
    const late = createTcpServer((near) => {
      const far = connect(Number(url.port), url.hostname);
      near.pipe(far).pipe(near);
      for (const socket of [near, far]) socket.on("error", () => {});
    }).listen(port, "127.0.0.1");
    await server.ready();
    expect(await server.stop("SIGTERM")).toBe(0);
    late.close();
    await database.drop();
  });

  it("O10 waits at its start for a database whose Unix socket is not there yet", async () => {
    const database = await startPostgres({ inMemory: true, settings: { listen_addresses: "" } });
    await database.crash();
    const server = spawn({ REEVE_STORE: database.socketUrl() });
    await expect.poll(() => server.output, { timeout: 20_000 }).toContain("the database is waited for");
    expect(server.output).toContain("ENOENT");
    await database.restart("fast");
    await server.ready();
    expect(await server.stop("SIGTERM")).toBe(0);
    await database.stop();
  });

  it("O10 ends in order when it is stopped while it waits", async () => {
    const server = spawn({ REEVE_STORE: `postgres://app@127.0.0.1:${await freePort()}/reeve` });
    await expect.poll(() => server.output, { timeout: 20_000 }).toContain("the database is waited for");
    expect(await server.stop("SIGTERM")).toBe(0);
  });

  it("O4 runs with two logins behind a transaction pooler on an empty database, and keeps no statements there", async () => {
    const database = await createDatabase(inject("postgresUrl"));
    const owner = new pg.Client(database.url);
    await owner.connect();
    // Behind a pooler the login is the runtime role itself. Other databases of the server may have made it already.
    const role = "reeve_app";
    await owner.query(
      `do $$ begin create role ${role}; exception when duplicate_object then null; end $$; alter role ${role} login`,
    );
    const login = Object.assign(new URL(database.url), { username: role, password: "" }).href;
    const pooled = { REEVE_STORE: login, REEVE_DIRECT_URL: login, REEVE_POOLER: "transaction", REEVE_POOL_SIZE: "2" };
    try {
      const { server, base } = await start({ ...pooled, REEVE_MIGRATE_URL: database.url });
      expect((await post(`${base}/api/v1/register`, { organization: "Acme", ...account })).status).toBe(201);
      expect((await signIn(base)).status).toBe(200);
      const asked =
        "select count(*)::int as n from pg_stat_activity where usename = $1 and datname = current_database()";
      const { rows } = await owner.query<{ n: number }>(asked, [role]);
      // Two of the pool, and the one that waits for notices.
      expect(rows[0]?.n).toBeGreaterThan(0);
      expect(rows[0]?.n).toBeLessThanOrEqual(3);
      expect(await server.stop("SIGTERM")).toBe(0);
      expect(server.errors).not.toMatch(/requests run as|prepared statement|unsupported startup/);
    } finally {
      await owner.end();
      await database.drop();
    }
  });

  it("runs on PostgreSQL, and makes the provider's administrator once", async () => {
    const database = await createDatabase(inject("postgresUrl"));
    const admin = { username: "root@provider.example", password: "quiet harbour at four" };
    const settings = {
      REEVE_STORE: database.url,
      REEVE_REGISTRATION: "closed",
      REEVE_PROVIDER_ADMIN: `${admin.username}:${admin.password}`,
    };
    try {
      for (const made of [1, 0]) {
        const { server, base } = await start(settings);
        expect((await signIn(base, admin)).status).toBe(200);
        const closed = await post(`${base}/api/v1/register`, { organization: "Acme", ...account });
        expect([closed.status, closed.body.code]).toEqual([403, "registration_closed"]);
        expect(await server.stop("SIGTERM")).toBe(0);
        expect(server.records.filter(({ msg }) => msg === "provider administrator created")).toHaveLength(made);
        expect(server.output + server.errors).not.toContain(admin.password);
      }
    } finally {
      await database.drop();
    }
  });
});
