import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "@marcbachmann/cel-js";
import type { ControlPlane, Principal } from "@reeve/core";
import { ISSUER, MASTER_KEY, seedAssets, seedEstate } from "./estate.js";
import { type EvaluationGround, evaluationGrounds } from "./evaluation-ground.js";
import { Progress } from "./progress.js";
import { median } from "./stats.js";
import { openControlPlane } from "./subject.js";

const EVALUATIONS_USAGE = `npm run bench -- evaluations [options]
  --assets 10000      sizes of the estate, with commas; one that stands there again is measured again, on an estate of its own
  --policies 50       policies under observation, each with one rule
  --stores sqlite     memory, sqlite, postgres
  --rounds 3          runs of each kind
  --passing           every policy passes on every asset, so that nothing is found: what the runs themselves cost`;

/** Typical conditions of packs. One in ten fails on every asset, and none reads the time. */
const conditionOf = (at: number, passing: boolean) =>
  at % 10 === 0 && !passing
    ? `asset.hasTeam && asset.riskScore < ${100 + at}`
    : `asset.name != "" && asset.riskScore <= ${100 + at} && !(asset.lifecycle == "retired")`;

/**
 * Measures evaluation runs over estates of several sizes against the bare compiled expressions on the same number of
 * pairs.
 */
export async function benchEvaluations(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      assets: { type: "string", default: "10000" },
      policies: { type: "string", default: "50" },
      stores: { type: "string", default: "sqlite" },
      rounds: { type: "string", default: "3" },
      passing: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${EVALUATIONS_USAGE}\n`);
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-evaluations-"));
  const [policies, rounds] = [Number(values.policies), Number(values.rounds)];
  try {
    for (const kind of values.stores.split(",")) {
      const measured: Measured[] = [];
      const grounds = await evaluationGrounds(kind, new Progress(), folder);
      for (const assets of values.assets.split(",").map(Number)) {
        const ground = await grounds.empty();
        measured.push(await figures(ground, kind, { assets, policies, rounds, passing: values.passing }));
        await ground.remove();
      }
      await grounds.close();
      compareSizes(kind, measured);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Size {
  readonly assets: number;
  readonly policies: number;
  readonly rounds: number;
  readonly passing: boolean;
}

/** Elapsed time, and processor time of this process meanwhile, in ms. */
interface Taken {
  readonly wall: number;
  readonly cpu: number;
}

const KINDS = ["first run", "full run", "incremental run without news"] as const;
type Kind = (typeof KINDS)[number];
interface Measured {
  readonly assets: number;
  readonly taken: Readonly<Record<Kind, Taken>>;
}

async function figures(
  { store, settled, copyEstate, bare: bareRows }: EvaluationGround,
  kind: string,
  { assets, policies, rounds, passing }: Size,
): Promise<Measured> {
  const progress = new Progress();
  const controlPlane = openControlPlane(store, { issuer: ISSUER, masterKey: MASTER_KEY });
  const { tenantId, userId } = await seedEstate(store, 0, progress);
  const principal = await controlPlane.principalOf(tenantId, userId);
  for (let at = 0; at < policies; at++) await addPolicy(controlPlane, principal, at, passing);
  // Runs from new policies and the schedule happen now, on an empty estate, so that they do not disturb the measured
  // ones.
  await controlPlane.tick();
  await seedAssets(store, { tenantId, userId }, assets, progress);
  await settled(assets);
  const pairs = assets * policies;
  const bare = bareLoop({ assets, policies, passing });
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 50);
  const timed = async (mode: "full" | "incremental") => {
    const taken = await untilDone(controlPlane, principal, mode, progress);
    await settled(assets);
    return taken;
  };
  await copyEstate?.(tenantId);
  const first = await timed("incremental");
  const inserting = await bareRows?.(tenantId, assets);
  const [full, incremental]: [Taken[], Taken[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    full.push(await timed("full"));
    incremental.push(await timed("incremental"));
  }
  clearInterval(watch);
  const rate = (ms: number) => Math.round((pairs / ms) * 1_000).toLocaleString("en");
  const ratio = (ms: number) => (bare / ms).toFixed(3);
  say(`${kind}, ${assets.toLocaleString("en")} assets and ${policies} policies, medians of ${rounds} runs`);
  say(`  bare compiled expressions: ${rate(bare)} pairs/s`);
  const taken = { [KINDS[0]]: first, [KINDS[1]]: middle(full), [KINDS[2]]: middle(incremental) } as Measured["taken"];
  const each = (ms: number) => `${((ms * 1_000) / assets).toFixed(0)} µs`;
  for (const name of KINDS) {
    const { wall, cpu } = taken[name];
    say(
      `  ${name}: ${rate(wall)} pairs/s (ratio ${ratio(wall)}), ${each(wall)} an asset, ${each(cpu)} of it computing`,
    );
  }
  if (inserting !== undefined) {
    const share = (inserting / taken[KINDS[0]].wall).toFixed(2);
    say(`  what the first run stored, by the bare driver: ${each(inserting)} an asset, ${share} of the run`);
  }
  const mebi = (bytes: number) => Math.round(bytes / 2 ** 20);
  say(`  RSS ${mebi(before)} MiB before, ${mebi(peak)} MiB at most`);
  await controlPlane.close();
  return { assets, taken };
}

const middle = (all: readonly Taken[]): Taken => ({
  wall: median(all.map(({ wall }) => wall)),
  cpu: median(all.map(({ cpu }) => cpu)),
});

/** The cost of an asset at each size relative to the median at the smallest size, by elapsed and by processor time. */
function compareSizes(kind: string, measured: readonly Measured[]): void {
  const smallest = Math.min(...measured.map(({ assets }) => assets));
  const small = measured.filter(({ assets }) => assets === smallest);
  if (measured.length === 1) return;
  for (const name of KINDS) {
    const base = middle(small.map(({ taken }) => taken[name]));
    for (const { assets, taken } of measured) {
      const ratio = (of: keyof Taken) => (taken[name][of] / assets / (base[of] / smallest)).toFixed(2);
      const beside = `${ratio("wall")} times that at ${smallest.toLocaleString("en")} (computing ${ratio("cpu")})`;
      say(`${kind}, ${name}, ${assets.toLocaleString("en")} assets: an asset costs ${beside}`);
    }
  }
}

async function addPolicy(
  controlPlane: ControlPlane,
  principal: Principal,
  at: number,
  passing: boolean,
): Promise<void> {
  const values = { name: "x", riskScore: 1, lifecycle: "registered", hasTeam: true };
  const configuration = {
    key: `bench-${at}`,
    rules: [{ key: "holds", assert: conditionOf(at, passing), message: "{asset.name} fails." }],
    tests: [{ name: "holds", input: { asset: values }, expect: "pass" }],
  };
  await controlPlane.call("aiGovernancePolicies.create", principal, { body: { status: "observe", configuration } });
}

/**
 * The time of a full run from its request to its end. Calls `tick` until it ends, and reports the time of each tenth.
 */
async function untilDone(
  controlPlane: ControlPlane,
  principal: Principal,
  mode: "full" | "incremental",
  progress: Progress,
): Promise<Taken> {
  const [before, started] = [process.cpuUsage(), performance.now()];
  const { id } = await controlPlane.call("aiEvaluations.run", principal, { body: { mode } });
  let last = { done: 0, at: started };
  for (;;) {
    await controlPlane.tick();
    const run = await controlPlane.call("aiEvaluations.read", principal, { params: { id } });
    const now = performance.now();
    if (run.status === "completed") {
      const { user, system } = process.cpuUsage(before);
      return { wall: now - started, cpu: (user + system) / 1_000 };
    }
    if (run.finishedAt !== null) throw new Error(`the run ended as ${run.status}`);
    const { done, total } = run.progress;
    progress.at(`${mode} run: ${done.toLocaleString("en")} of ${total.toLocaleString("en")} assets`);
    if (done - last.done < total / 10) continue;
    const each = Math.round(((now - last.at) * 1_000) / (done - last.done));
    progress.done(`${mode} run, assets ${last.done} to ${done}: ${each} µs each`);
    last = { done, at: now };
  }
}

/** The time of the same expressions by the library alone on one asset, as many times, in ms. */
function bareLoop({ assets, policies, passing }: Omit<Size, "rounds">): number {
  const programs = Array.from({ length: policies }, (_, at) => parse(conditionOf(at, passing)));
  const asset = { name: "x", riskScore: 1n, lifecycle: "registered", hasTeam: false };
  const started = performance.now();
  let held = 0;
  for (let at = 0; at < assets; at++) for (const program of programs) held += program({ asset }) === true ? 1 : 0;
  if (held === 0) throw new Error("no rule holds");
  return performance.now() - started;
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
