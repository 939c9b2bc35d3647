import { spawn } from "node:child_process";
import { once } from "node:events";
import { GENESIS_HASH, linkHash, type StoredEvent, sha256 } from "@reeve/core/store";
import { randomOf } from "@reeve/testkit";
import Database from "better-sqlite3";
import { expect, inject, it } from "vitest";
import { collectionMigration, createSqliteStore } from "../src/index.js";
import { notes } from "./notes.js";
import { temporaryFile } from "./support.js";

/** A night run makes hundreds, an ordinary one some, and `npm test` fewer. */
const ROUNDS = Number(process.env.REEVE_FAULTS_CRASHES ?? (inject("isQuick") ? 8 : 20));
const SEED = Number(process.env.REEVE_FAULTS_SEED ?? Date.now() % 1_000_000);
const program = inject("programs")["packages/store-sqlite/test/writer-process.ts"];
const migrations = [collectionMigration(1_000, "notes", [notes])];

function start(...args: readonly string[]) {
  return spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
}

/** Starts a writer, kills it after so many acknowledged records and returns their ids. */
async function killedWriter(file: string, round: number, enough: number): Promise<string[]> {
  const child = start(file, String(round));
  let reported = "";
  child.stdout.setEncoding("utf8");
  for await (const text of child.stdout) {
    reported += text;
    if (!child.killed && reported.split("\n").length > enough) child.kill("SIGKILL");
  }
  return reported.split("\n").slice(0, -1);
}

it(`M16: keeps what it acknowledged, whole and chained, when it is killed, ${ROUNDS} times with seed ${SEED}`, {
  timeout: 120_000 + ROUNDS * 6_000,
}, async ({ annotate }) => {
  const file = temporaryFile();
  const acknowledged: string[] = [];
  const random = randomOf(SEED);
  let kept = 0;
  for (let round = 0; round < ROUNDS; round++) {
    acknowledged.push(...(await killedWriter(file, round, 3 + Math.floor(random() * 90))));
    const db = new Database(file);
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    const stored = new Set(db.prepare("select id from reeve_notes").pluck().all());
    kept = stored.size;
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    const orphans =
      "select count(*) from reeve_events e left join reeve_notes n on 'event-' || n.id = e.id where n.id is null";
    expect(db.prepare(orphans).pluck().get()).toBe(0);
    const totals = "select n from reeve_counters where collection = 'notes' and field = ''";
    expect(db.prepare(totals).pluck().get()).toBe(stored.size);
    expect(db.prepare("select seq from reeve_chain_heads").pluck().get()).toBe(stored.size);
    db.close();
  }
  await annotate(`seed ${SEED}: ${ROUNDS} crashes of SQLite, ${acknowledged.length} acknowledged, ${kept} kept`);
  expect(acknowledged.length).toBeGreaterThan(ROUNDS * 3);
  await verifyChain(file, acknowledged.length);
});

async function verifyChain(file: string, least: number): Promise<void> {
  const store = createSqliteStore({ file, migrations });
  let previous: Pick<StoredEvent, "sequence" | "eventHash"> = { sequence: 0, eventHash: GENESIS_HASH };
  for (;;) {
    const events = await store.forTenant("t").scanEvents({ after: previous.sequence, size: 500 });
    if (events.length === 0) break;
    for (const event of events) {
      expect(event.prevHash).toBe(previous.eventHash);
      expect(event.eventHash).toBe(linkHash(previous.eventHash, previous.sequence + 1, sha256(event.attributes)));
      previous = event;
    }
  }
  expect(previous.sequence).toBeGreaterThanOrEqual(least);
  await store.close();
}

it("eight processes that migrate at once apply each migration once", { timeout: 120_000 }, async () => {
  const file = temporaryFile();
  const children = Array.from({ length: 8 }, () => start(file, "0", "migrate"));
  const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
  expect(codes).toEqual(Array.from({ length: 8 }, () => 0));
  const db = new Database(file);
  expect(db.prepare("select number from reeve_migrations order by number").pluck().all()).toEqual([1, 1_000]);
  db.close();
});
