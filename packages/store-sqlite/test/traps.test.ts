import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { StoreError } from "@reeve/core/store";
import { thing, things } from "@reeve/testkit";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkVersion, expectPragma, openConnection } from "../src/connection.js";
import { anyDriver } from "../src/driver/choose.js";
import { createSqliteStore } from "../src/index.js";
import { migrations, openStore, temporaryFile } from "./support.js";

function foreign(file: string): Database.Database {
  const db = new Database(file, { timeout: 0 });
  onTestFinished(() => void db.close());
  return db;
}

describe("connections", () => {
  it.each([
    ["FULL", 2],
    ["NORMAL", 1],
  ] as const)("M8: every open sets and reads back synchronous=%s", (synchronous, value) => {
    const file = temporaryFile();
    for (const readonly of [false, true, false]) {
      const db = openConnection(anyDriver(), { file, synchronous, readonly });
      expect(db.pragma("synchronous", { simple: true })).toBe(value);
      expect(db.pragma("journal_mode", { simple: true })).toBe("wal");
      expect(db.pragma("foreign_keys", { simple: true })).toBe(1);
      expect(db.pragma("trusted_schema", { simple: true })).toBe(0);
      db.close();
    }
  });

  it("M8: a setting that did not take is refused", () => {
    const db = openConnection(anyDriver(), { file: temporaryFile(), synchronous: "FULL" });
    onTestFinished(() => void db.close());
    db.pragma("synchronous = NORMAL");
    expect(() => expectPragma(db, "synchronous", 2)).toThrow(StoreError);
  });

  it("M8: what a reopened store writes is as durable as what the first wrote", async () => {
    const file = temporaryFile();
    for (let round = 0; round < 2; round++) {
      const store = createSqliteStore({ file, migrations });
      await store.migrate();
      await store.close();
    }
    const db = openConnection(anyDriver(), { file, synchronous: "FULL" });
    expect(db.pragma("synchronous", { simple: true })).toBe(2);
    db.close();
  });

  it("refuses an SQLite that can lose a commit", () => {
    for (const old of ["3.51.2", "3.50.9", "2.99.99"]) expect(() => checkVersion(old)).toThrow(/too old/);
    for (const good of ["3.51.3", "3.52.0", "4.0.0"]) expect(() => checkVersion(good)).not.toThrow();
  });

  it("makes the file and its folder for their owner only", async () => {
    const folder = join(temporaryFile(), "..", "data", "deep");
    await openStore({ file: join(folder, "reeve.sqlite") });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, "reeve.sqlite")).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "reeve.sqlite-wal")).mode & 0o077).toBe(0);
  });

  it("refuses what is no path of a file", () => {
    for (const file of [":memory:", "", "file:x?mode=memory"])
      expect(() => createSqliteStore({ file })).toThrow(TypeError);
  });
});

describe("locks", () => {
  it("M9: a transaction that read may still write after another process committed", async () => {
    const { store, file } = await openStore({ busyTimeoutMs: 200 });
    const other = foreign(file);
    await store.transaction("t", async (tx) => {
      expect((await tx.count(things)).count).toBe(0);
      // No other process can commit in between, because the transaction began as a writing one.
      expect(() => other.exec("insert into reeve_counters values ('x', 'x', '', '', 1)")).toThrow(/locked/);
      await tx.insert(things, thing(1));
    });
    other.exec("insert into reeve_counters values ('x', 'x', '', '', 1)");
    expect((await store.forTenant("t").count(things)).count).toBe(1);
  });

  it("answers busy when another process holds the database, leaves the loop free meanwhile, and recovers", async () => {
    const { store, file } = await openStore({ busyTimeoutMs: 150 });
    const other = foreign(file);
    other.exec("begin immediate");
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    await expect(store.forTenant("t").insert(things, thing(1))).rejects.toMatchObject({ code: "busy" });
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(3);
    expect(await store.forTenant("t").get(things, thing(1).id)).toBeUndefined();
    other.exec("rollback");
    await store.forTenant("t").insert(things, thing(1));
  });

  it("waits for another process that is done in time", async () => {
    const { store, file } = await openStore();
    const other = foreign(file);
    other.exec("begin immediate");
    const written = store.forTenant("t").insert(things, thing(1));
    setTimeout(() => other.exec("commit"), 60);
    await written;
  });

  it("ends a write past the transaction, which waits for itself, as busy", async () => {
    const { store } = await openStore({ busyTimeoutMs: 50 });
    const work = store.transaction("t", async (tx) => {
      await tx.count(things);
      await store.forTenant("t").insert(things, thing(1));
    });
    await expect(work).rejects.toMatchObject({ code: "busy" });
    await store.forTenant("t").insert(things, thing(1));
  });

  it("answers busy to one who waits too long for another transaction", async () => {
    const { store } = await openStore({ busyTimeoutMs: 50 });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const begun = store.transaction("t", async (tx) => {
      await tx.count(things);
      await held;
    });
    await expect(store.forTenant("t").insert(things, thing(1))).rejects.toMatchObject({ code: "busy" });
    release();
    await begun;
    await store.forTenant("t").insert(things, thing(1));
  });
});

describe("values", () => {
  it.each([
    ["emoji", "👩‍👩‍👧‍👦 🏳️‍🌈"],
    ["right to left", "שלום مرحبا"],
    ["composed", "café"],
    ["decomposed", "cafe\u0301"],
    ["four bytes", "𝒳𐍈"],
  ])("M15: %s text comes back byte for byte, and search folds it itself", async (_, text) => {
    const { store } = await openStore();
    const tenant = store.forTenant("t");
    const record = thing(1, { name: text, active: true });
    await tenant.insert(things, record);
    const row = await tenant.get(things, record.id);
    expect(Buffer.from(row?.value.name ?? "").equals(Buffer.from(text))).toBe(true);
    expect((await tenant.find(things, { where: { active: true }, size: 9 })).rows.length).toBe(1);
    expect((await tenant.find(things, { search: text.toUpperCase(), size: 9 })).rows.length).toBe(1);
  });
});

describe("M10: SQLite cannot be interrupted in this build", () => {
  const ENDLESS = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c";
  const question = { statement: ENDLESS, parameters: [], maxRows: 1, maxBytes: 1_000, timeoutMs: 400 };
  const processes = () =>
    execFileSync("ps", ["-eo", "ppid=,args="], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line.trim().startsWith(`${process.pid} `) && line.includes("console-process.mjs"));

  it("so that a question without an end is ended with its process, and the event loop goes on", async () => {
    const { store } = await openStore();
    let ended = false;
    const asked = store.console?.run({ ...question, timeoutMs: 2_000 });
    const outcome = asked?.catch((error: unknown) => error).finally(() => (ended = true));
    let seen: string[] = [];
    // That this sees the process shows too that the event loop goes on meanwhile.
    while (seen.length === 0 && !ended) {
      await setImmediate();
      seen = processes();
    }
    expect([seen.length, ended]).toEqual([1, false]);
    expect(await outcome).toMatchObject({ code: "timeout" });
    expect(processes()).toEqual([]);
    expect((await store.console?.run({ ...question, statement: "select 1" }))?.rows).toEqual([[1]]);
  });

  it("so that the process ends itself when who asked is gone", async () => {
    const { file } = await openStore();
    const script = fileURLToPath(new URL("../src/console-process.mjs", import.meta.url));
    const child = spawn(process.execPath, [script], { stdio: ["pipe", "ignore", "inherit"] });
    child.stdin.end(JSON.stringify({ driver: "better-sqlite3", file, views: [], question }));
    expect((await once(child, "exit"))[1]).toBe("SIGKILL");
  });

  it("so that the process ends itself when it takes too much memory", async () => {
    const { store } = await openStore();
    const statement = "select length(hex(zeroblob(200000000)) || hex(zeroblob(200000000)))";
    const greedy = store.console?.run({ ...question, statement, timeoutMs: 30_000 });
    await expect(greedy).rejects.toMatchObject({ code: "refused", message: expect.stringContaining("memory") });
  });

  it("and the store that closes waits for the question", async () => {
    const { store } = await openStore();
    const asked = store.console?.run({ ...question, statement: "select 1" });
    await store.close();
    expect((await asked)?.rows).toEqual([[1]]);
    await expect(store.console?.run(question)).rejects.toMatchObject({ code: "closed" });
  });
});
