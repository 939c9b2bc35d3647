import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Store } from "@reeve/core/store";
import { createSqliteStore } from "@reeve/store-sqlite";
import { percentile } from "./burst.js";
import { assets } from "./estate.js";
import { sampleAsset } from "./samples.js";
import { median } from "./stats.js";

const COMMITS_USAGE = `npm run bench -- commits [options]
  --clients 1,16,64   single inserts under way at any time
  --steps 5           reads of the transaction beside them, each followed by a pause
  --pause 2           length of a pause, in ms
  --rounds 7          rounds, in each of which both are measured in turn
  --seconds 1         length of each measurement`;

const TENANT = "ten_bench";
const OTHER = "ten_other";

/** Inserts a second, how long one took, and the share of the time for which a transaction had the connection. */
interface Measured {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  readonly held: number;
}

/** Measures single inserts into SQLite alone, and beside a transaction of several steps that waits between them. */
export async function benchCommits(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      clients: { type: "string", default: "1,16,64" },
      steps: { type: "string", default: "5" },
      pause: { type: "string", default: "2" },
      rounds: { type: "string", default: "7" },
      seconds: { type: "string", default: "1" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void say(COMMITS_USAGE);
  const folder = mkdtempSync(join(tmpdir(), "reeve-commits-"));
  const store = createSqliteStore({ file: join(folder, "reeve.sqlite") });
  try {
    await store.migrate();
    const [ms, steps] = [Number(values.seconds) * 1_000, Number(values.steps)];
    for (const clients of values.clients.split(",").map(Number)) {
      await inserts(store, clients, ms / 2, 0, 0);
      const [alone, beside]: [Measured[], Measured[]] = [[], []];
      for (let round = 0; round < Number(values.rounds); round += 1)
        for (const isAlone of round % 2 === 0 ? [true, false] : [false, true])
          (isAlone ? alone : beside).push(await inserts(store, clients, ms, isAlone ? 0 : steps, Number(values.pause)));
      say(`| ${clients} | alone | ${row(alone)} |`);
      say(`| ${clients} | beside | ${row(beside)} |`);
      const ratios = beside.map(({ rate }, at) => rate / (alone[at] as Measured).rate);
      const left = beside.map(({ held }, at) => (ratios[at] as number) / (1 - held));
      say(`ratio ${median(ratios).toFixed(2)}, of the time that is left ${median(left).toFixed(2)}`);
    }
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

let made = 0;
const next = () => sampleAsset(made++, 1_000_000_000, "usr_bench", 2_000_000_000_000);

async function inserts(store: Store, clients: number, ms: number, steps: number, pauseMs: number): Promise<Measured> {
  const times: number[] = [];
  const started = performance.now();
  const isOver = () => performance.now() - started >= ms;
  const client = async () => {
    for (let before = performance.now(); !isOver(); before = performance.now()) {
      await store.forTenant(TENANT).insert(assets, next());
      times.push(performance.now() - before);
    }
  };
  let held = 0;
  const beside = async () => {
    while (steps > 0 && !isOver())
      await store.transaction(OTHER, async (tx) => {
        let since = 0;
        for (let step = 0; step < steps; step += 1) {
          await tx.get(assets, "ast_none");
          since ||= performance.now();
          await pause(pauseMs);
        }
        await tx.insert(assets, next());
        held += performance.now() - since;
      });
  };
  await Promise.all([beside(), ...Array.from({ length: clients }, client)]);
  const took = performance.now() - started;
  times.sort((a, b) => a - b);
  const [p50, p99, longest] = [percentile(times, 0.5), percentile(times, 0.99), percentile(times, 1)];
  return { rate: (times.length / took) * 1_000, p50, p99, longest, held: held / took };
}

function row(all: readonly Measured[]): string {
  const middle = (of: keyof Measured) => median(all.map((measured) => measured[of]));
  const shown = (["p50", "p99", "longest"] as const).map((of) => middle(of).toFixed(1));
  return [middle("rate").toFixed(0), ...shown, `${(100 * middle("held")).toFixed(0)} %`].join(" | ");
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
