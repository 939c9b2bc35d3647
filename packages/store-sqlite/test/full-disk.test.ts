import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { promisify } from "node:util";
import { sha256, type Transaction } from "@reeve/core/store";
import { SqlTransaction } from "@reeve/store-sql";
import { event, manyThings, thing, things } from "@reeve/testkit";
import Database from "better-sqlite3";
import { expect, inject, it, onTestFinished } from "vitest";
import { SqliteAccess } from "../src/access.js";
import { openConnection } from "../src/connection.js";
import { anyDriver } from "../src/driver/choose.js";
import { GroupCommit } from "../src/group-commit.js";
import { collectionMigration, createSqliteStore } from "../src/index.js";
import { PromptKinds } from "../src/prompt-kinds.js";
import { Statements } from "../src/statements.js";
import { SqliteUnit } from "../src/unit.js";
import { notes } from "./notes.js";
import { openStore } from "./support.js";

/** Transactions like the store's, on a connection whose database cannot grow. */
function fullDisk(file: string) {
  const db = openConnection(anyDriver(), { file, synchronous: "FULL" });
  onTestFinished(() => void db.close());
  const pages = db.pragma("page_count", { simple: true });
  db.pragma(`max_page_count = ${pages}`);
  const statements = new Statements(db);
  const lease = new GroupCommit(statements, 1_000);
  const outside = new SqliteAccess((read) => read(statements));
  return {
    db,
    run: async (work: (tx: Transaction) => Promise<unknown>) => {
      const unit = new SqliteUnit(lease, outside, new PromptKinds());
      try {
        await work(new SqlTransaction("t", unit));
        await unit.commit();
      } finally {
        await unit.end();
      }
    },
  };
}

const long = Array.from({ length: 400 }, (_, n) => sha256(String(n))).join("");

it.each(["only writes", "reads before it writes"])(
  "2G: a transaction that %s and finds no room is refused whole, reads go on, and room heals it",
  async (kind) => {
    const { store, file } = await openStore();
    const tenant = store.forTenant("t");
    await tenant.insert(things, thing(1));
    const disk = fullDisk(file);
    const work = async (tx: Transaction) => {
      if (kind !== "only writes") await tx.count(things);
      await tx.append(event(1));
      await tx.insertMany(
        things,
        manyThings(40, (n) => ({ id: thing(n + 1).id, extra: long })),
      );
    };
    await expect(disk.run(work)).rejects.toMatchObject({ code: "full" });
    expect((await tenant.scan(things, { size: 999 })).map((row) => row.id)).toEqual([thing(1).id]);
    expect((await tenant.count(things)).count).toBe(1);
    expect((await tenant.events({ size: 9 })).total.count).toBe(0);
    expect(disk.db.pragma("integrity_check", { simple: true })).toBe("ok");
    disk.db.pragma("max_page_count = 1000000");
    await disk.run(work);
    expect((await tenant.count(things)).count).toBe(41);
  },
);

// The bound on the size of a process's files is the full disk that needs no rights.
it.skipIf(process.platform === "win32")(
  "K6 a store closes without a failure while the disk is full, and the next start has every answered write",
  async () => {
    const migrations = [collectionMigration(1_000, "notes", [notes])];
    const { store, file } = await openStore({ migrations });
    await store.close();
    const blocks = Math.ceil(statSync(file).size / 512);
    const program = inject("programs")["packages/store-sqlite/test/writer-process.ts"];
    const limited = `ulimit -f ${blocks} && exec "$0" "$@"`;
    const reported = await promisify(execFile)("sh", [
      "-c",
      limited,
      process.execPath,
      program,
      file,
      "0",
      "until-full",
    ]);
    const acknowledged = reported.stdout.trim().split("\n");
    expect(acknowledged.pop(), "the refusal, and whether the status says so").toBe("full true");
    expect(acknowledged.length).toBeGreaterThan(10);
    expect(statSync(`${file}-wal`).size, "what could not be copied back").toBeGreaterThan(0);
    const next = createSqliteStore({ file, migrations });
    expect((await next.forTenant("t").scan(notes, { size: 1_000 })).map(({ id }) => id)).toEqual(acknowledged);
    await next.close();
    const db = new Database(file);
    onTestFinished(() => void db.close());
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  },
);
