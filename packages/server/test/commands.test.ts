import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, freePort } from "@reeve/testkit/postgres";
import pg from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { runCommand } from "./run-command.js";
import { ServerProcess } from "./server-process.js";

/** The driver is a dependency of the store alone. */
const Database = createRequire(new URL("../../store-sqlite/package.json", import.meta.url))("better-sqlite3");
const admin = { username: "root@provider.example", password: "quiet harbour at four" };

function place(settings: Record<string, string> = {}) {
  const directory = mkdtempSync(join(tmpdir(), "reeve-commands-"));
  const env = { REEVE_MASTER_KEY: randomBytes(32).toString("base64"), ...settings };
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const run = (args: string[], more: Record<string, string> = {}, input = "") =>
    runCommand(args, directory, { ...env, ...more }, input);
  /** In a process of its own, which must end. */
  const runAlone = async ([command = "", ...rest]: string[], input = "") => {
    const running = ServerProcess.run(command, directory, env, rest, input);
    return { code: await running.ended, errors: running.errors };
  };
  const json = async (args: string[], more: Record<string, string> = {}) => {
    const { code, output } = await run([...args, "--json"], more);
    return { code, ...JSON.parse(output) };
  };
  return { directory, env, run, runAlone, json };
}

it("migrates, and says before what is missing", async () => {
  const { directory, json, run } = place();
  expect(await json(["migrate", "--dry-run"])).toEqual({ code: 2, applied: 0 });
  expect(readdirSync(directory)).toEqual([]);
  const { applied, latest, code } = await json(["migrate"]);
  expect([code, applied]).toEqual([0, latest]);
  expect(await run(["migrate", "--dry-run"])).toMatchObject({ code: 0, output: "" });
});

it("ends with what is wrong when its folder has been deleted", async () => {
  const { directory, env } = place();
  const running = ServerProcess.run("migrate", directory, env);
  rmSync(directory, { recursive: true });
  expect(await running.ended).toBe(1);
  expect(running.errors).toContain("ENOENT");
});

it("writes what is missing in PostgreSQL as SQL, which makes the schema", async () => {
  const database = await createDatabase(inject("postgresUrl"));
  onTestFinished(() => database.drop());
  const { run, json, directory } = place({ REEVE_STORE: database.url });
  expect((await run(["migrate", "--sql", "missing.sql"])).code).toBe(2);
  const sql = readFileSync(join(directory, "missing.sql"), "utf8");
  expect((await run(["migrate", "--sql", "missing.sql"])).errors).toContain("is there already");
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(sql);
  await client.end();
  const { code, applied, latest } = await json(["migrate", "--dry-run"]);
  expect([code, applied]).toEqual([0, latest]);
  expect(await json(["migrate", "--sql", "nothing.sql"])).toEqual({ code: 0, file: null });
});

/** Every command that the help lists, with what it takes. Some make a store, others need none. */
const TAKES: Record<string, string[]> = {
  ...{ "verify-events": [], backup: ["kept.backup"], "after-restore": [], "rotate-keys": [], distribute: [] },
  import: ["items.jsonl", "--tenant", "tnt_x", "--user", "usr_x"],
};
const MAKE_ONE = ["serve", "migrate", "create-admin", "restore"];
const NEED_NONE = ["doctor", "report", "connector", "init", "completion", "enroll", "publish", "headers", "hook"];
/** They ask a running server. */
const ASK_A_SERVER = [
  ...["login", "logout", "whoami", "profiles", "assets", "show", "activity", "findings", "call"],
  ...["reviews", "approve", "reject", "suspend", "terminate", "halt", "halts", "lift", "policy"],
];

it("each command is known to make a store, to need none, or to refuse where there is none", async () => {
  const { output } = await place().run(["--help"]);
  const commands = [...output.matchAll(/^ {2}([a-z-]+)(?: \[| <|$| {2})/gm)].map(([, name]) => name as string);
  const known = [...Object.keys(TAKES), ...MAKE_ONE, ...NEED_NONE, ...ASK_A_SERVER];
  expect([...new Set(commands)].sort()).toEqual(known.sort());
  const guide = readFileSync(new URL("../../../docs/guides/command-line.md", import.meta.url), "utf8");
  const rows = guide.split("\n").filter((line) => line.startsWith("| `reeve "));
  expect(commands.filter((name) => !rows.some((row) => new RegExp(`\`(reeve )?${name}\``).test(row)))).toEqual([]);
});

it.each(Object.entries(TAKES))(
  "%s refuses a store that is not there, names it and makes nothing",
  async (name, args) => {
    const { directory, run } = place();
    for (const store of ["sqlite:./data/reeve.sqlite", "sqlite:./empty.sqlite"]) {
      if (store.includes("empty")) writeFileSync(join(directory, "empty.sqlite"), "");
      const before = readdirSync(directory);
      const { code, errors, output } = await run([name, ...args], { REEVE_STORE: store, REEVE_MASTER_KEY: "" });
      expect([code, output]).toEqual([1, ""]);
      expect(errors.trim().split("\n").at(-1)).toContain(
        `the SQLite file ${store.slice("sqlite:".length)} is not there`,
      );
      expect(readdirSync(directory)).toEqual(before);
    }
  },
);

it("refuses a PostgreSQL database without Reeve in it, and makes no schema and no key", async () => {
  const database = await createDatabase(inject("postgresUrl"));
  onTestFinished(() => database.drop());
  const { directory, run } = place({ REEVE_STORE: database.url, REEVE_MASTER_KEY: "" });
  for (const [name, args] of Object.entries(TAKES)) {
    const { code, errors } = await run([name, ...args]);
    expect([name, code]).toEqual([name, 1]);
    // A dump fails by its own words where the program is missing or older than the server.
    if (name !== "backup") expect(errors.trim().split("\n").at(-1)).toContain("PostgreSQL at ");
  }
  expect(readdirSync(directory)).toEqual([]);
  const client = new pg.Client(database.url);
  await client.connect();
  const { rows } = await client.query("select 1 from information_schema.schemata where schema_name = 'reeve'");
  await client.end();
  expect(rows).toEqual([]);
});

it("names the store in the last line of what was done", async () => {
  const { run } = place();
  await run(["migrate"]);
  for (const name of ["verify-events", "after-restore", "rotate-keys"]) {
    const { code, errors } = await run([name]);
    expect([name, code, errors.trim().split("\n").at(-1)]).toEqual([
      name,
      0,
      expect.stringContaining("in the SQLite file"),
    ]);
  }
});

it("makes an administrator with a password that no argument holds", async () => {
  const { run, runAlone, env, directory } = place();
  const made = await runAlone(["create-admin", admin.username], `${admin.password}\n`);
  expect([made.code, made.errors]).toEqual([0, `${admin.username} is an administrator now\n`]);
  expect((await run(["create-admin", admin.username], {}, `${admin.password}\n`)).errors).toContain("was one already");
  expect((await run(["create-admin", admin.username], {}, "short\n")).code).toBe(1);
  expect((await run(["create-admin", admin.username])).errors).toContain("there is none");
  const refused = await run(["create-admin", admin.username, "--password=s3cr3t"]);
  expect([refused.code, refused.errors]).toEqual([1, "reeve: unknown option '--password'; see reeve --help\n"]);
  const PORT = String(await freePort());
  const server = await ServerProcess.spawn(directory, { ...env, PORT }).ready();
  const headers = { "content-type": "application/json" };
  const signIn = { method: "POST", headers, body: JSON.stringify(admin) };
  expect((await fetch(`http://127.0.0.1:${PORT}/api/v1/auth/signin`, signIn)).status).toBe(200);
  expect(await server.stop("SIGTERM")).toBe(0);
});

it("backs up, verifies and restores a SQLite file, and replaces nothing", async () => {
  const { run, json, directory } = place();
  await run(["create-admin", admin.username], {}, `${admin.password}\n`);
  const before = await json(["verify-events"]);
  expect(before).toMatchObject({ code: 0, faults: [] });
  expect(before.events).toBeGreaterThan(0);

  const nowhere = await run(["backup", "kept/reeve.backup"]);
  expect([nowhere.code, nowhere.errors]).toEqual([1, expect.stringMatching(/the folder .*kept is not there/)]);
  expect(existsSync(join(directory, "kept"))).toBe(false);
  mkdirSync(join(directory, "kept"));
  const { rows, ...backedUp } = await json(["backup", "kept/reeve.backup"]);
  expect(backedUp).toMatchObject({ code: 0, events: expect.stringContaining(`${before.events} events of`) });
  expect([rows > before.events, backedUp.tables > 100]).toEqual([true, true]);
  const copy = join(directory, "kept/reeve.backup");
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect((await run(["backup", "kept/reeve.backup"])).errors).toContain("is there already");
  expect((await run(["restore", "kept/reeve.backup"])).errors).toContain("is there already");

  rmSync(join(directory, "data"), { recursive: true });
  const otherKey = { REEVE_MASTER_KEY: randomBytes(32).toString("base64") };
  expect(await run(["restore", "kept/reeve.backup"], otherKey)).toMatchObject({
    code: 1,
    errors: expect.stringContaining("not the one that the SQLite file kept/reeve.backup was made with"),
  });
  expect((await run(["restore", "kept/reeve.backup"], { REEVE_MASTER_KEY: "" })).errors).toContain("is required");
  writeFileSync(join(directory, "torn"), "no database");
  const whole = readFileSync(copy);
  writeFileSync(join(directory, "cut"), whole.subarray(0, whole.length / 2));
  for (const damaged of ["torn", "cut"])
    expect(await run(["restore", damaged])).toMatchObject({
      code: 1,
      errors: expect.stringContaining(`${damaged} cannot be copied`),
    });
  writeFileSync(join(directory, "empty"), "");
  const foreign = new Database(join(directory, "foreign"));
  foreign.exec("create table notes (text)");
  foreign.close();
  for (const other of ["empty", "foreign"]) {
    const refused = await run(["restore", other]);
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining("holds no database of Reeve")]);
  }
  expect(existsSync(join(directory, "data")) ? readdirSync(join(directory, "data")) : []).toEqual([]);

  expect((await run(["restore", "kept/reeve.backup"])).code).toBe(0);
  expect(await json(["verify-events"])).toEqual({ ...before, events: before.events + 1 });
  expect(readdirSync(join(directory, "kept"))).toEqual(["reeve.backup"]);
});

/** A place with a backup that was changed by SQL, and without the database that it was made of. */
async function changedBackup(sql: string) {
  const { run, directory } = place();
  await run(["create-admin", admin.username], {}, `${admin.password}\n`);
  await run(["backup", "kept.backup"]);
  const backup = new Database(join(directory, "kept.backup"));
  backup.exec(sql);
  backup.close();
  rmSync(join(directory, "data"), { recursive: true });
  return { run, directory };
}

it("K6 puts no SQLite file in place whose tokens could not be ended", async () => {
  const { run, directory } = await changedBackup(
    "create trigger stop before insert on reeve_events begin select raise(abort, 'stopped'); end",
  );
  const failed = await run(["restore", "kept.backup"]);
  expect([failed.code, failed.errors]).toEqual([1, expect.stringContaining("stopped")]);
  expect(readdirSync(join(directory, "data"))).toEqual([]);
});

it("restores no SQLite file beside the journal of another", async () => {
  const { run, directory } = place();
  await run(["create-admin", admin.username], {}, `${admin.password}\n`);
  await run(["backup", "kept.backup"]);
  const [file, journal] = [join(directory, "data/reeve.sqlite"), join(directory, "data/reeve.sqlite-wal")];
  rmSync(file);
  writeFileSync(journal, "left by a crash");
  const refused = await run(["restore", "kept.backup"]);
  expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining("reeve.sqlite-wal is there already")]);
  expect(existsSync(file)).toBe(false);
});

it("K6 marks a restored backup of an older schema, and no server starts before its tokens are ended", async () => {
  const PORT = String(await freePort());
  const { run, runAlone, directory, env } = place({ PORT });
  await run(["create-admin", admin.username], {}, `${admin.password}\n`);
  const me = (token: string) =>
    fetch(`http://127.0.0.1:${PORT}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } });
  const first = await ServerProcess.spawn(directory, env).ready();
  const signIn = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(admin) };
  const answer = await fetch(`http://127.0.0.1:${PORT}/api/v1/auth/signin`, signIn);
  const { token } = (await answer.json()) as { token: string };
  expect((await me(token)).status).toBe(200);
  expect(await first.stop("SIGTERM")).toBe(0);
  await run(["backup", "kept.backup"]);
  // There is no release before this one, so the ledger is told otherwise until the upgrade.
  const ledger = (file: string, sql: string) => {
    const db = new Database(join(directory, file));
    db.exec(sql);
    db.close();
  };
  ledger(
    "kept.backup",
    "create table newest as select * from reeve_migrations; update reeve_migrations set number = -number, phase = 'expand'",
  );
  rmSync(join(directory, "data"), { recursive: true });
  const restored = await run(["restore", "kept.backup"]);
  expect([restored.code, restored.errors]).toEqual([2, expect.stringContaining("run reeve migrate and reeve after-")]);
  ledger(
    "data/reeve.sqlite",
    "delete from reeve_migrations; insert into reeve_migrations select * from newest; drop table newest",
  );
  const early = ServerProcess.spawn(directory, env);
  onTestFinished(() => void early.child.kill());
  await expect(early.ready()).rejects.toThrow(/ended with 1: [\s\S]*run reeve after-restore/);
  expect((await run(["verify-events"])).code).toBe(0);
  expect((await runAlone(["after-restore"])).code).toBe(0);
  const again = await ServerProcess.spawn(directory, env).ready();
  expect((await me(token)).status).toBe(401);
  expect(await again.stop("SIGTERM")).toBe(0);
});

it("K6 leaves a restored backup with unknown tables to a program that knows them", async () => {
  const { run } = await changedBackup(
    "insert into reeve_migrations (number, name, checksum, phase) values (9000, 'letters', '', 'expand')",
  );
  const restored = await run(["restore", "kept.backup"]);
  expect([restored.code, restored.errors]).toEqual([
    2,
    expect.stringContaining("tables that this program does not know"),
  ]);
  expect((await run(["after-restore"])).errors).toContain("newest version that runs on it");
  expect((await run(["doctor"])).output).toContain("erases no closed tenants");
});

it("ends what a snapshot of PostgreSQL has brought back", async () => {
  const database = await createDatabase(inject("postgresUrl"));
  onTestFinished(() => database.drop());
  const { run, json } = place({ REEVE_STORE: database.url });
  await run(["create-admin", admin.username], {}, `${admin.password}\n`);
  expect(await json(["after-restore"])).toMatchObject({ code: 0, tenants: 2 });
  expect(await json(["verify-events"])).toMatchObject({ code: 0, faults: [] });
});

it("names a failed dump of PostgreSQL in one line, without the password, and leaves no file", async () => {
  const database = await createDatabase(inject("postgresUrl"));
  onTestFinished(() => database.drop());
  const { run, directory } = place({ REEVE_STORE: database.url });
  const lacking = await run(["backup", "reeve.dump"], { PATH: directory });
  expect(lacking).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/reeve: pg_dump of PostgreSQL is not on the PATH: install .*\n$/),
  });
  const url = new URL(database.url);
  url.password = "s3cr3t";
  url.port = String(await freePort());
  const failed = await run(["backup", "reeve.dump"], { REEVE_STORE: url.href });
  expect([failed.code, failed.output]).toEqual([1, ""]);
  expect(failed.errors).toMatch(/reeve: (pg_dump|cannot use PostgreSQL at)[^\n]+\n$/);
  expect(failed.errors).not.toContain("s3cr3t");
  expect(readdirSync(directory)).toEqual([]);
});

it.each(["sqlite", "postgres"])("makes no key for a store of %s that is sealed with another", async (kind) => {
  const database = kind === "postgres" ? await createDatabase(inject("postgresUrl")) : undefined;
  onTestFinished(() => database?.drop());
  const { directory, run } = place({ REEVE_MASTER_KEY: "", ...(database ? { REEVE_STORE: database.url } : {}) });
  const create = () => run(["create-admin", admin.username], {}, `${admin.password}\n`);
  expect((await run(["migrate"])).code).toBe(0);
  const sealing = await run(["doctor"]);
  expect([sealing.code, sealing.output]).toEqual([
    0,
    expect.stringContaining("nothing is sealed before the first start"),
  ]);
  expect((await create()).code).toBe(0);
  const file = join(directory, "data", database ? "postgres.master-key" : "reeve.sqlite.master-key");
  const key = readFileSync(file, "utf8");
  rmSync(file);
  for (const refused of [await create(), await run(["serve"]), await run(["rotate-keys"])]) {
    expect([refused.code, refused.output]).toEqual([1, ""]);
    expect(refused.errors).toMatch(/REEVE_MASTER_KEY is required: .*(PostgreSQL at|reeve\.sqlite)/);
    expect(existsSync(file)).toBe(false);
  }
  expect(await run(["doctor"])).toMatchObject({
    code: 2,
    output: expect.stringContaining("REEVE_MASTER_KEY is required"),
  });
  writeFileSync(file, key, { mode: 0o600 });
  expect(await create()).toMatchObject({ code: 0, errors: expect.stringContaining("was one already") });
});

it("finds what is wrong before a start, and changes nothing", async () => {
  const { directory, json, run } = place();
  const outcomes = async (more: Record<string, string> = {}) => {
    const { code, findings } = await json(["doctor"], more);
    const found = findings as { check: string; outcome: string }[];
    return { code, ...Object.fromEntries(found.map(({ check, outcome }) => [check, outcome])) };
  };
  expect(await outcomes()).toMatchObject({ code: 2, store: "fault", "master key": "warning", mail: "ok" });
  expect(readdirSync(directory)).toEqual([]);
  await run(["migrate"]);
  expect((await run(["create-admin", admin.username], {}, `${admin.password}\n`)).code).toBe(0);
  expect(await outcomes()).toMatchObject({
    code: 0,
    settings: "ok",
    store: "ok",
    "master key": "ok",
    "base URL": "ok",
  });
  const wrong = {
    REEVE_MASTER_KEY: randomBytes(32).toString("base64"),
    REEVE_STOR: "x",
    HOST: "0.0.0.0",
    SMTP_URL: `smtp://app:s3cr3t@127.0.0.1:${await freePort()}`,
    MAIL_FROM: "reeve@acme.example",
    HTTPS_PROXY: "http://proxy.acme.example",
  };
  expect(await outcomes(wrong)).toMatchObject({
    code: 2,
    settings: "warning",
    "master key": "fault",
    "base URL": "warning",
    mail: "fault",
    "outgoing calls": "warning",
  });
  expect((await run(["doctor"], wrong)).output).not.toContain("s3cr3t");
});

it("says what words it does not know, without repeating them", async () => {
  const { run } = place();
  const { code, errors } = await run(["s3cr3t"]);
  expect([code, errors]).toEqual([1, "reeve: unknown command; see reeve --help\n"]);
  expect((await run(["migrate", "s3cr3t"])).errors).toBe("reeve: too many words; see reeve --help\n");
  expect((await run(["asset"])).errors).toBe("reeve: unknown command; did you mean assets?\n");
  expect((await run(["assets", "--limti", "3"])).errors).toContain("did you mean --limit?");
  expect((await run(["--version"])).output).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await run(["--help"])).output).toContain("Exit codes:");
});
