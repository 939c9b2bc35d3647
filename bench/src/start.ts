import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { median } from "./stats.js";

const START_USAGE = `npm run bench -- start [options]
  --rounds 7          how often each build starts, in turn
  --against <dist>    another build of core, beside this one
  --keep              writes the figures as the best so far`;

const BEST = fileURLToPath(new URL("../results/start.json", import.meta.url));
const FIRST_ASSET = new URL("../../scripts/lib/first-asset.mjs", import.meta.url).href;
/** How far above the best build so far a figure may be: processor time is noisy, the heap is not. */
const SLACK = { time: 1.2, heap: 1.05 };

/** A yardstick of the machine: compiles and runs a text of fixed size, as a start does. */
const YARDSTICK = `
  const text = Array.from({ length: 20000 }, (_, n) => "function f" + n + "(a,b){return {a:a+" + n + ",b:[b,a]}}").join(";");
  const run = Array.from({ length: 2000 }, (_, n) => "f" + n + "(1,2)").join(";");
  new (require("node:vm").Script)(text + ";" + run).runInThisContext();`;

/** Processor time in ms of what a fresh process does, and the heap in MB that stays. */
interface Start {
  /** Until core is imported. */
  readonly imported: number;
  readonly time: number;
  readonly heap: number;
}

/** Time as a multiple of the yardstick, and heap in MB. */
interface Figures {
  readonly ratio: number;
  readonly heap: number;
}

/**
 * Measures a start in fresh processes: import of core, control plane over the memory store, first asset. Fails when it is dearer
 * than the best build so far.
 */
export function benchStart(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: "string", default: "7" },
      against: { type: "string" },
      keep: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${START_USAGE}\n`);
  const own = fileURLToPath(import.meta.resolve("@reeve/core"));
  const builds = [own, ...(values.against ? [resolve(values.against, "index.js")] : [])];
  const yardsticks: number[] = [];
  const starts = builds.map((): Start[] => []);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    yardsticks.push(startOf(YARDSTICK).time);
    for (const [at, build] of builds.entries()) starts[at]?.push(startOf(firstAsset(build)));
  }
  const yardstick = median(yardsticks);
  const figures = starts.map((each) => figuresOf(each, yardstick));
  for (const [at, build] of builds.entries()) report(build, starts[at] ?? [], figures[at] as Figures);
  const [now] = figures as [Figures];
  if (values.keep) writeFileSync(BEST, `${JSON.stringify(now)}\n`);
  else compare(now);
}

function figuresOf(starts: readonly Start[], yardstick: number): Figures {
  const ratio = median(starts.map(({ time }) => time)) / yardstick;
  return { ratio: Number(ratio.toFixed(2)), heap: Number(median(starts.map(({ heap }) => heap)).toFixed(1)) };
}

function report(build: string, starts: readonly Start[], { ratio, heap }: Figures): void {
  const times = starts.map(({ time }) => time).sort((a, b) => a - b);
  const range = `${times[0]} to ${times.at(-1)}`;
  const imported = median(starts.map((each) => each.imported));
  const all = `${median(times)} ms (${range})`;
  process.stdout.write(`${build}: import ${imported} ms, all ${all}, ${ratio} of the yardstick, heap ${heap} MB\n`);
}

function compare(now: Figures): void {
  if (!existsSync(BEST)) return;
  const best = JSON.parse(readFileSync(BEST, "utf8")) as Figures;
  const isDearer = now.ratio > best.ratio * SLACK.time || now.heap > best.heap * SLACK.heap;
  process.stdout.write(`best so far: ${best.ratio} of the yardstick, heap ${best.heap} MB\n`);
  if (!isDearer) return;
  process.stdout.write("a start is dearer than that of the best build so far\n");
  process.exitCode = 1;
}

/** The text of a program that imports a built core. */
export function importOf(build: string): string {
  return `
    const core = await import(${JSON.stringify(pathToFileURL(build).href)});
    imported = spent();`;
}

/** The text of a program that opens the first asset with a built core. */
export function firstAsset(build: string): string {
  return `
    const { openFirstAsset } = await import(${JSON.stringify(FIRST_ASSET)});
    ${importOf(build)}
    const opened = await openFirstAsset(core);
    await opened.register();`;
}

/** Runs a text in a process of its own. What Node itself does for a request of fetch is loaded before. */
export function startOf(text: string): Start {
  const program = `
    import { createRequire } from "node:module";
    const require = createRequire(import.meta.url);
    new Request("http://localhost");
    gc();
    const heap = process.memoryUsage().heapUsed;
    const began = process.cpuUsage();
    const spent = () => {
      const { user, system } = process.cpuUsage(began);
      return Math.round((user + system) / 1000);
    };
    let imported = 0;
    ${text}
    const time = spent();
    gc();
    console.log(JSON.stringify({
      imported,
      time,
      heap: (process.memoryUsage().heapUsed - heap) / 1e6,
    }));
    process.exit(0);`;
  const output = execFileSync(process.execPath, ["--expose-gc", "--input-type=module", "--eval", program], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return JSON.parse(output) as Start;
}
