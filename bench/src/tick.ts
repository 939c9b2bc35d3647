import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type ControlPlane, createControlPlane } from "@reeve/core";
import type { Store } from "@reeve/core/store";
import { createPostgresStore } from "@reeve/store-postgres";
import { createSqliteStore } from "@reeve/store-sqlite";
import { createDatabase, startPostgres } from "@reeve/testkit/postgres";
import { assets, ISSUER, MASTER_KEY } from "./estate.js";
import { sampleAsset } from "./samples.js";
import { median } from "./stats.js";
import { Turns } from "./turns.js";

const TICK_USAGE = `npm run bench -- tick [options]
  --tenants 10,1000,10000     tenants of a database
  --stores sqlite,postgres
  --ticks 50                  ticks with nothing due, of which the median is told
  --busy 0                    tenants of these with many assets whose approval has run out
  --due 2000                  such assets in each`;

const AT_ONCE = 16;
const BATCH = 1_000;
/** How long the process is watched while it does nothing, in ms. */
const REST = 2_000;

/** Measures a tick with everything due, and ticks with nothing due. */
export async function benchTick(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tenants: { type: "string", default: "10,1000,10000" },
      stores: { type: "string", default: "sqlite,postgres" },
      ticks: { type: "string", default: "50" },
      busy: { type: "string", default: "0" },
      due: { type: "string", default: "2000" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${TICK_USAGE}\n`);
  for (const kind of values.stores.split(","))
    for (const tenants of values.tenants.split(",").map(Number)) {
      const { store, remove } = kind === "sqlite" ? sqlite() : await postgres();
      const asked = { tenants, ticks: Number(values.ticks), busy: Number(values.busy), due: Number(values.due) };
      process.stdout.write(`| ${kind} | ${tenants} | ${await measured(store, asked)} |\n`);
      await remove();
    }
}

interface Asked {
  readonly tenants: number;
  readonly ticks: number;
  readonly busy: number;
  readonly due: number;
}

async function measured(store: Store, { tenants, ticks, busy, due }: Asked): Promise<string> {
  let nowMs = Date.UTC(2026, 0, 5, 9);
  const controlPlane = createControlPlane({
    store,
    masterKey: MASTER_KEY,
    baseUrl: ISSUER,
    clock: { now: () => nowMs },
  });
  // Loads and compiles what jobs need, which is no part of a tick.
  await fill(controlPlane, "warm", 20);
  await controlPlane.tick();
  const ids = await fill(controlPlane, "t", tenants);
  for (const tenantId of ids.slice(0, busy)) await approvals(store, tenantId, due, nowMs);
  nowMs += 60_000;
  const rest = await atRest();
  const turns = new Turns();
  const used = process.cpuUsage();
  const [first] = await timed(() => controlPlane.tick());
  const { user, system } = process.cpuUsage(used);
  const firstTurns = await turns.stop();
  const later = new Turns();
  const idle: number[] = [];
  for (let at = 0; at < ticks; at += 1) {
    nowMs += 60_000;
    const [ms, outcome] = await timed(() => controlPlane.tick());
    // What jobs wrote is looked at once more.
    if (at > 0 && (outcome.done > 0 || outcome.failed > 0)) throw new Error("something was due");
    idle.push(ms);
  }
  const laterTurns = await later.stop();
  await controlPlane.close();
  const processor = (user + system) / 1_000 / tenants;
  return `${median(idle).toFixed(2)} | ${(first / 1_000).toFixed(2)} | ${processor.toFixed(2)} | ${firstTurns.p99.toFixed(1)} | ${[firstTurns, laterTurns, rest].map(({ longest, over }) => `${longest.toFixed(1)} (${over})`).join(" | ")}`;
}

/** The same while nothing is done: what the machine and the measurement cost by themselves. */
async function atRest() {
  const turns = new Turns();
  await sleep(REST);
  return turns.stop();
}

async function fill(controlPlane: ControlPlane, prefix: string, tenants: number): Promise<readonly string[]> {
  let made = 0;
  const ids: string[] = [];
  const some = async () => {
    for (let at = made++; at < tenants; at = made++) {
      const tenant = { externalId: `${prefix}-${at}`, name: `Tenant ${prefix} ${at}` };
      ids.push((await controlPlane.ensureTenant(tenant)).tenantId);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
  return ids;
}

/** Assets whose approval runs out within the minute. */
async function approvals(store: Store, tenantId: string, count: number, nowMs: number): Promise<void> {
  const approvedUntil = new Date(nowMs + 30_000).toISOString();
  const approved = { governanceState: "approved", approvedUntil };
  for (let start = 0; start < count; start += BATCH) {
    const some = Array.from({ length: Math.min(BATCH, count - start) }, (_, at) => start + at);
    const made = some.map((at) => ({ ...sampleAsset(at, count, "usr_bench", nowMs), ...approved }));
    await store.forTenant(tenantId).insertMany(assets, made);
  }
  await store.dues.lower([tenantId], approvedUntil);
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [ms: number, outcome: T]> {
  const start = performance.now();
  const outcome = await work();
  return [performance.now() - start, outcome];
}

function sqlite() {
  const folder = mkdtempSync(join(tmpdir(), "reeve-tick-"));
  const store = createSqliteStore({ file: join(folder, "reeve.sqlite"), synchronous: "NORMAL" });
  return { store, remove: async () => rmSync(folder, { recursive: true }) };
}

async function postgres() {
  const server = await startPostgres();
  const { url } = await createDatabase(server.url());
  return { store: createPostgresStore({ url }), remove: () => server.stop() };
}
