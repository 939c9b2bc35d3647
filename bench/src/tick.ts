import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { type ControlPlane, createControlPlane } from "@reeve/core";
import type { Store } from "@reeve/core/store";
import { createPostgresStore } from "@reeve/store-postgres";
import { createSqliteStore } from "@reeve/store-sqlite";
import { createDatabase, startPostgres } from "@reeve/testkit/postgres";
import { ISSUER, MASTER_KEY } from "./estate.js";
import { median } from "./stats.js";

const TICK_USAGE = `npm run bench -- tick [options]
  --tenants 10,1000,10000     tenants of a database
  --stores sqlite,postgres
  --ticks 50                  ticks with nothing due, of which the median is told`;

const AT_ONCE = 16;

/** Measures a tick with everything due, and ticks with nothing due. */
export async function benchTick(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tenants: { type: "string", default: "10,1000,10000" },
      stores: { type: "string", default: "sqlite,postgres" },
      ticks: { type: "string", default: "50" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${TICK_USAGE}\n`);
  for (const kind of values.stores.split(","))
    for (const tenants of values.tenants.split(",").map(Number)) {
      const { store, remove } = kind === "sqlite" ? sqlite() : await postgres();
      process.stdout.write(`| ${kind} | ${tenants} | ${await measured(store, tenants, Number(values.ticks))} |\n`);
      await remove();
    }
}

async function measured(store: Store, tenants: number, ticks: number): Promise<string> {
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
  await fill(controlPlane, "t", tenants);
  nowMs += 60_000;
  const turns = new Turns();
  const used = process.cpuUsage();
  const [first] = await timed(() => controlPlane.tick());
  const { user, system } = process.cpuUsage(used);
  turns.stop();
  const idle: number[] = [];
  for (let at = 0; at < ticks; at += 1) {
    nowMs += 60_000;
    const [ms, outcome] = await timed(() => controlPlane.tick());
    if (outcome.done > 0 || outcome.failed > 0) throw new Error("something was due");
    idle.push(ms);
  }
  await controlPlane.close();
  const processor = (user + system) / 1_000 / tenants;
  return `${median(idle).toFixed(2)} | ${(first / 1_000).toFixed(2)} | ${processor.toFixed(2)} | ${turns.at(0.99).toFixed(1)}`;
}

/** The processor time of each turn of the event loop: how long it was held, without what other processes took. */
class Turns {
  readonly #times: number[] = [];
  #running = true;

  constructor() {
    let before = process.cpuUsage();
    const turn = () => {
      const { user, system } = process.cpuUsage(before);
      this.#times.push((user + system) / 1_000);
      before = process.cpuUsage();
      if (this.#running) setImmediate(turn);
    };
    setImmediate(turn);
  }

  stop(): void {
    this.#running = false;
  }

  at(share: number): number {
    // Turns that did nothing would hide the others.
    const worked = this.#times.filter((ms) => ms >= 1).sort((one, other) => one - other);
    return worked[Math.ceil(worked.length * share) - 1] ?? 0;
  }
}

async function fill(controlPlane: ControlPlane, prefix: string, tenants: number): Promise<void> {
  let made = 0;
  const some = async () => {
    for (let at = made++; at < tenants; at = made++)
      await controlPlane.ensureTenant({ externalId: `${prefix}-${at}`, name: `Tenant ${prefix} ${at}` });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
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
