import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { createDatabase, memoryFolder, startPostgres } from "./index.js";

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A temporary directory of the launcher during a test, accessible to the server's user. */
function ownTemporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "reeve-launcher-test-"));
  chmodSync(directory, 0o755);
  vi.stubEnv("TMPDIR", directory);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(directory, { recursive: true, force: true });
  });
  return directory;
}

const dataDirectories = () => readdirSync(tmpdir()).filter((name) => name.startsWith("reeve-postgres-data-"));

async function dataDirectoryOf(url: string): Promise<string> {
  const [row] = (await query(url, "show data_directory")) as { data_directory: string }[];
  return (row?.data_directory ?? "").split("/").at(-1) ?? "";
}

/** A process that starts a server, prints it as one line of JSON, and continues with `then`. */
function startIn(then: string) {
  const launcher = fileURLToPath(new URL("./index.ts", import.meta.url));
  const script = `
    const { startPostgres } = await import(${JSON.stringify(launcher)});
    const server = await startPostgres();
    process.stdout.write(JSON.stringify({ pid: server.pid, url: server.url() }) + "\\n");
    ${then}`;
  const starter = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    cwd: fileURLToPath(new URL("../../../..", import.meta.url)),
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void starter.kill("SIGKILL"));
  return starter;
}

describe("startPostgres", () => {
  it("starts a real server with the settings asked for, and removes its data when stopped", async () => {
    const server = await startPostgres({ settings: { max_connections: 17 } });
    onTestFinished(() => server.stop());
    expect(await query(server.url(), "select 1 as one")).toEqual([{ one: 1 }]);
    expect(await query(server.url(), "show max_connections")).toEqual([{ max_connections: "17" }]);
    const address = "select inet_server_addr() as address";
    expect(await query(server.url(), address)).toEqual([{ address: "127.0.0.1" }]);
    expect(await query(server.socketUrl(), address)).toEqual([{ address: null }]);
    const data = await dataDirectoryOf(server.url());
    expect(dataDirectories()).toContain(data);

    await server.stop();

    expect(isRunning(server.pid)).toBe(false);
    expect(dataDirectories()).not.toContain(data);
  });

  it("keeps the data in memory when asked to, where the machine can, and removes it when stopped", async () => {
    const server = await startPostgres({ inMemory: true });
    onTestFinished(() => server.stop());
    const [row] = (await query(server.url(), "show data_directory")) as { data_directory: string }[];
    const data = row?.data_directory as string;
    expect(dirname(data)).toBe(memoryFolder() ?? tmpdir());
    expect(existsSync(data)).toBe(true);

    await server.stop();

    expect(existsSync(data)).toBe(false);
  });

  it("says what the server said when it does not start, and leaves only the copied programs behind", async () => {
    const temporary = ownTemporaryDirectory();
    await expect(startPostgres({ settings: { no_such_setting: 1 } })).rejects.toThrow(/no_such_setting/);
    expect(readdirSync(temporary)).toEqual([expect.stringMatching(/^reeve-postgres-\d/)]);
  });

  it("refuses programs that other users could have changed", async () => {
    const temporary = ownTemporaryDirectory();
    await expect(startPostgres({ settings: { no_such_setting: 1 } })).rejects.toThrow();
    for (const name of readdirSync(temporary)) chmodSync(join(temporary, name), 0o777);
    await expect(startPostgres()).rejects.toThrow(/is not ours alone/);
  });

  it("stops fully in a process that has nothing else to wait for", async () => {
    const starter = startIn(`await server.stop(); process.stdout.write("stopped");`);
    let output = "";
    starter.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    await once(starter, "close");
    expect(output).toMatch(/stopped$/);
  });

  it("leaves no server and no data when its starter is killed", async () => {
    const starter = startIn("setInterval(() => {}, 1000);");
    const [line] = (await once(starter.stdout.setEncoding("utf8"), "data")) as [string];
    const { pid, url } = JSON.parse(line) as { pid: number; url: string };
    const data = await dataDirectoryOf(url);
    expect(isRunning(pid)).toBe(true);

    starter.kill("SIGKILL");

    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 20_000, interval: 50 });
    await vi.waitFor(() => expect(dataDirectories()).not.toContain(data), { timeout: 20_000, interval: 50 });
  });
});

describe("createDatabase", () => {
  it("makes a database of its own and drops it, sessions or not", async () => {
    const admin = inject("postgresUrl");
    const database = await createDatabase(admin);
    const held = new pg.Client({ connectionString: database.url });
    held.on("error", () => undefined);
    await held.connect();
    await held.query("create table mine (id int)");
    expect(await query(admin, "select 1 from pg_tables where tablename = 'mine'")).toEqual([]);

    await database.drop();

    await expect(query(database.url, "select 1")).rejects.toMatchObject({ code: "3D000" });
  });

  it("copies a template", async () => {
    const admin = inject("postgresUrl");
    const template = await createDatabase(admin);
    onTestFinished(() => template.drop());
    await query(template.url, "create table copied as select 42 as answer");
    const copy = await createDatabase(admin, { template: new URL(template.url).pathname.slice(1) });
    onTestFinished(() => copy.drop());
    expect(await query(copy.url, "select answer from copied")).toEqual([{ answer: 42 }]);
  });

  it("copies the files, so that no page of the template is logged", async () => {
    const server = await startPostgres({ inMemory: true });
    onTestFinished(() => server.stop());
    const logged = async () => {
      const [row] = await query(server.url(), "select pg_current_wal_insert_lsn() - '0/0' as bytes");
      return Number((row as { bytes: string }).bytes);
    };
    const before = await logged();
    await createDatabase(server.url());
    expect((await logged()) - before).toBeLessThan(1024 * 1024);
  });

  it("lets sessions end that are about to", async () => {
    const database = await createDatabase(inject("postgresUrl"));
    const client = new pg.Client({ connectionString: database.url });
    const errors: Error[] = [];
    client.on("error", (error) => errors.push(error));
    await client.connect();
    const dropped = database.drop();
    await sleep(200);
    await client.end();
    await dropped;
    expect(errors).toEqual([]);
  });

  it("has the trigram extension that search needs", async () => {
    const database = await createDatabase(inject("postgresUrl"));
    onTestFinished(() => database.drop());
    await query(database.url, "create extension pg_trgm");
    expect(await query(database.url, "select similarity('agent', 'agents') > 0.5 as similar")).toEqual([
      { similar: true },
    ]);
  });
});
