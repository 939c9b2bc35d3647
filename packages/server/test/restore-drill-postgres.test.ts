import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDatabase, freePort, type PostgresSettings, runSql, startPostgres } from "@reeve/testkit/postgres";
import { program } from "@reeve/testkit/programs";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "./run-command.js";
import { ServerProcess } from "./server-process.js";

/** The npm-shipped server comes without the tools of a backup. */
const { path: tool, note } = program("pg_restore", "postgresql-15", "/usr/lib/postgresql/15/bin");
const owner = { username: "owner@acme.example", password: "quiet harbour at four" };

/** The URL of a server that has the two logins of an installation and no role of Reeve. */
async function newServer(settings: PostgresSettings = {}): Promise<string> {
  const server = await startPostgres({ inMemory: true, programs: dirname(tool as string), settings });
  onTestFinished(() => server.stop());
  const url = settings.listen_addresses === "" ? server.socketUrl() : server.url();
  await runSql(url, "create role owner login createrole bypassrls");
  await runSql(url, "alter database postgres owner to owner");
  await runSql(url, "create role app login");
  return url;
}

async function newDatabase(server: string): Promise<string> {
  const { url } = await createDatabase(server);
  const { pathname } = new URL(url);
  await runSql(server, `alter database ${decodeURIComponent(pathname.slice(1))} owner to owner`);
  return url;
}

const loginsOf = (url: string) => ({
  REEVE_STORE: url.replace("postgres@", "app@"),
  REEVE_MIGRATE_URL: url.replace("postgres@", "owner@"),
});

describe.skipIf(tool === undefined)(`a drill on PostgreSQL${note}`, () => {
  it("O5 comes back on another server from a backup that was made under load, and proves its chains", async () => {
    const directory = mkdtempSync(join(tmpdir(), "reeve-drill-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const PORT = String(await freePort());
    const PATH = `${dirname(tool as string)}:${process.env.PATH}`;
    const common = { REEVE_MASTER_KEY: randomBytes(32).toString("base64"), PORT, PATH };
    const run = (command: string, url: string, file?: string, more: Record<string, string> = {}) => {
      const args = file === undefined ? [command] : [command, file];
      return runCommand(args, directory, { ...common, ...loginsOf(url), ...more });
    };
    const at = `http://127.0.0.1:${PORT}/api/v1`;
    const ask = async (method: string, path: string, token?: string, body?: object) => {
      const headers = {
        "content-type": "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      };
      const answer = await fetch(`${at}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      return { status: answer.status, json: JSON.parse((await answer.text()) || "{}") };
    };
    const signIn = async () => (await ask("POST", "/auth/signin", undefined, owner)).json.token as string;

    const first = await newServer();
    const server = await ServerProcess.spawn(directory, { ...common, ...loginsOf(first) }).ready();
    expect((await ask("POST", "/register", undefined, { organization: "Acme", ...owner })).status).toBe(201);
    const token = await signIn();
    expect((await ask("POST", "/ai-assets", token, { name: "Kept asset" })).status).toBe(201);
    const others = Array.from({ length: 20 }, (_, n) => ask("POST", "/ai-assets", token, { name: `Asset ${n}` }));
    const backedUp = await run("backup", first, "kept.dump");
    expect(backedUp, backedUp.errors).toMatchObject({
      code: 0,
      errors: expect.stringMatching(/read back: [1-9]\d\d tables with [1-9]\d* rows/),
    });
    expect(statSync(join(directory, "kept.dump")).mode & 0o777).toBe(0o600);
    for (const { status } of await Promise.all(others)) expect(status).toBe(201);
    expect(await server.stop("SIGTERM")).toBe(0);

    // It is reached by its Unix socket alone.
    const second = await newServer({ listen_addresses: "" });
    const withoutKey = await runCommand(["restore", "kept.dump"], directory, { PATH, ...loginsOf(second) });
    expect([withoutKey.code, withoutKey.errors]).toEqual([1, expect.stringContaining("REEVE_MASTER_KEY is required")]);
    await runSql(first, "create table notes (text text)");
    const [notes, dump] = [join(directory, "notes.dump"), join(dirname(tool as string), "pg_dump")];
    execFileSync(dump, ["--format=custom", "--table=notes", `--file=${notes}`, first]);
    await runSql(first, "drop table notes");
    const foreign = await run("restore", second, "notes.dump");
    expect([foreign.code, foreign.errors]).toEqual([1, expect.stringContaining("holds no database of Reeve")]);
    const whole = readFileSync(join(directory, "kept.dump"));
    const bent = Buffer.from(whole);
    bent.writeUInt8(bent.readUInt8(whole.length - 2_000) ^ 0xff, whole.length - 2_000);
    writeFileSync(join(directory, "cut.dump"), whole.subarray(0, whole.length - 1_000));
    writeFileSync(join(directory, "bent.dump"), bent);
    for (const file of ["cut.dump", "bent.dump"]) {
      const damaged = await run("restore", second, file);
      expect([damaged.code, damaged.errors]).toEqual([1, expect.stringContaining(`${file} is damaged or cut off: `)]);
    }
    const restored = await run("restore", second, "kept.dump");
    expect(restored, restored.errors).toMatchObject({ code: 0 });
    expect(restored.errors).toMatch(/[1-9]\d* events of \d+ tenants, 0 chains with faults/);
    expect(restored.errors).toMatch(/[1-9]\d* tokens, codes, links and keys of/);
    const known = await runSql(
      second,
      "select attname from pg_stats where schemaname = 'reeve' and tablename = 'events'",
    );
    expect(known.map(({ attname }) => attname)).toContain("tenant_id");
    const again = await ServerProcess.spawn(directory, { ...common, ...loginsOf(second) }).ready();
    expect((await ask("GET", "/me", token)).status).toBe(401);
    // The search runs as a role that the dump names and no dump has.
    const found = await ask("GET", "/ai-assets?search=kept", await signIn());
    expect(found.json.items.map(({ name }: { name: string }) => name)).toEqual(["Kept asset"]);
    expect(await again.stop("SIGTERM")).toBe(0);
    const twice = await run("restore", second, "kept.dump");
    expect([twice.code, twice.errors]).toEqual([1, expect.stringContaining('has the schema "reeve" already')]);

    await runSql(first, "alter table reeve.events disable trigger all");
    await runSql(first, "update reeve.events set data = replace(data, 'Kept', 'Lost') where data like '%Kept asset%'");
    await runSql(first, "alter table reeve.events enable trigger all");
    // The first of these servers is not there.
    const several = `${first.replace("127.0.0.1:", "127.0.0.1:1,127.0.0.1:")}?target_session_attrs=read-write`;
    expect(await run("doctor", several)).toMatchObject({ code: 0, output: expect.stringContaining("127.0.0.1") });
    expect(await run("backup", several, "forged.dump")).toMatchObject({ code: 0 });
    const socket = new URL(await newDatabase(second));
    const third = `postgres://postgres@${socket.pathname}${socket.search}&port=${socket.port}`;
    const forged = await run("restore", third, "forged.dump");
    expect([forged.code, forged.errors]).toEqual([
      1,
      expect.stringMatching(/does not verify: .* 1 chains with faults.*restored all the same: [1-9]\d* tokens/),
    ]);
    const fourth = await newDatabase(second);
    const another = { REEVE_MASTER_KEY: randomBytes(32).toString("base64") };
    const sealed = await run("restore", fourth, "kept.dump", another);
    expect([sealed.code, sealed.errors]).toEqual([
      1,
      expect.stringMatching(/the master key is not the one .* is restored, and .* run reeve after-restore/),
    ]);
    const early = ServerProcess.spawn(directory, { ...common, ...loginsOf(fourth) });
    onTestFinished(() => void early.child.kill());
    await expect(early.ready()).rejects.toThrow(/ended with 1: [\s\S]*run reeve after-restore/);
    const ended = await run("after-restore", fourth);
    expect([ended.code, ended.errors]).toEqual([0, expect.stringMatching(/[1-9]\d* tokens, codes, links and keys of/)]);
  }, 300_000);
});
