import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "@marcbachmann/cel-js";
import { type ControlPlane, createMemoryStore, type Principal, type Store } from "@reeve/core";
import { ISSUER, MASTER_KEY, seedEstate } from "./estate.js";
import { Progress } from "./progress.js";
import { median } from "./stats.js";
import { openControlPlane, openStore } from "./subject.js";

const EVALUATIONS_USAGE = `npm run bench -- evaluations [options]
  --assets 10000      sizes of the estate, with commas
  --policies 50       policies under observation, each with one rule
  --stores sqlite     memory, sqlite
  --rounds 3          runs of each kind`;

/** Rules of the kind that packs have; of ten one fails on every asset, and none reads the time. */
const conditionOf = (at: number) =>
  at % 10 === 0
    ? `asset.hasTeam && asset.riskScore < ${100 + at}`
    : `asset.name != "" && asset.riskScore <= ${100 + at} && !(asset.lifecycle == "retired")`;

/** Measures evaluation runs over estates of several sizes beside the bare compiled expressions over the same number of pairs. */
export async function benchEvaluations(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      assets: { type: "string", default: "10000" },
      policies: { type: "string", default: "50" },
      stores: { type: "string", default: "sqlite" },
      rounds: { type: "string", default: "3" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${EVALUATIONS_USAGE}\n`);
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-evaluations-"));
  const [policies, rounds] = [Number(values.policies), Number(values.rounds)];
  try {
    for (const kind of values.stores.split(",")) {
      for (const assets of values.assets.split(",").map(Number)) {
        const location = join(folder, `${kind}-${assets}.sqlite`);
        const store = kind === "memory" ? createMemoryStore() : openStore({ store: "sqlite", location });
        await figures(store, kind, { assets, policies, rounds });
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Size {
  readonly assets: number;
  readonly policies: number;
  readonly rounds: number;
}

async function figures(store: Store, kind: string, { assets, policies, rounds }: Size): Promise<void> {
  const progress = new Progress();
  const controlPlane = openControlPlane(store, { issuer: ISSUER, masterKey: MASTER_KEY });
  const { tenantId, userId } = await seedEstate(store, assets, progress);
  const principal = await controlPlane.principalOf(tenantId, userId);
  for (let at = 0; at < policies; at++) await addPolicy(controlPlane, principal, at);
  const pairs = assets * policies;
  const bare = bareLoop(assets, policies);
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 50);
  const first = await firstRun(controlPlane, principal, progress);
  const [full, incremental]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    full.push(await untilDone(controlPlane, principal, "full", progress));
    incremental.push(await untilDone(controlPlane, principal, "incremental", progress));
  }
  clearInterval(watch);
  const rate = (ms: number) => Math.round((pairs / ms) * 1_000).toLocaleString("en");
  const ratio = (ms: number) => (bare / ms).toFixed(3);
  say(`${kind}, ${assets.toLocaleString("en")} assets and ${policies} policies, medians of ${rounds} runs`);
  say(`  bare compiled expressions: ${rate(bare)} pairs/s`);
  for (const [name, ms] of [
    ["first run, which opens all findings", first],
    ["full run", median(full)],
    ["incremental run without news", median(incremental)],
  ] as const) {
    say(`  ${name}: ${rate(ms)} pairs/s (ratio ${ratio(ms)}), ${((ms * 1_000) / assets).toFixed(0)} µs an asset`);
  }
  const mebi = (bytes: number) => Math.round(bytes / 2 ** 20);
  say(`  RSS ${mebi(before)} MiB before, ${mebi(peak)} MiB at most`);
  await controlPlane.close();
}

async function addPolicy(controlPlane: ControlPlane, principal: Principal, at: number): Promise<void> {
  const values = { name: "x", riskScore: 1, lifecycle: "registered", hasTeam: true };
  const configuration = {
    key: `bench-${at}`,
    rules: [{ key: "holds", assert: conditionOf(at), message: "{asset.name} fails." }],
    tests: [{ name: "holds", input: { asset: values }, expect: "pass" }],
  };
  await controlPlane.call("aiGovernancePolicies.create", principal, { body: { status: "observe", configuration } });
}

/** A run over everything. */
async function untilDone(
  controlPlane: ControlPlane,
  principal: Principal,
  mode: "full" | "incremental",
  progress: Progress,
): Promise<number> {
  const { id } = await controlPlane.call("aiEvaluations.run", principal, { body: { mode } });
  return ended(controlPlane, principal, id, progress);
}

/** The run that waits since the policies have come under observation. */
async function firstRun(controlPlane: ControlPlane, principal: Principal, progress: Progress): Promise<number> {
  const { items } = await controlPlane.call("aiEvaluations.list", principal, { query: { status: "queued" } });
  const [waiting] = items;
  if (!waiting) throw new Error("no run waits");
  return ended(controlPlane, principal, waiting.id, progress);
}

/** How long a run took from its start to its end, in ms; `tick` is called until it is over. */
async function ended(
  controlPlane: ControlPlane,
  principal: Principal,
  id: string,
  progress: Progress,
): Promise<number> {
  for (;;) {
    await controlPlane.tick();
    const {
      mode,
      status,
      startedAt,
      finishedAt,
      progress: at,
    } = await controlPlane.call("aiEvaluations.read", principal, { params: { id } });
    progress.at(`${mode} run: ${at.done.toLocaleString("en")} of ${at.total.toLocaleString("en")} assets`);
    if (status === "completed") return Date.parse(finishedAt ?? "") - Date.parse(startedAt ?? "");
    if (finishedAt !== null) throw new Error(`the run ended as ${status}`);
  }
}

/** The same expressions by the library alone over one asset, as often; gives how long that took, in ms. */
function bareLoop(assets: number, policies: number): number {
  const programs = Array.from({ length: policies }, (_, at) => parse(conditionOf(at)));
  const asset = { name: "x", riskScore: 1n, lifecycle: "registered", hasTeam: false };
  const started = performance.now();
  let held = 0;
  for (let at = 0; at < assets; at++) for (const program of programs) held += program({ asset }) === true ? 1 : 0;
  if (held === 0) throw new Error("no rule holds");
  return performance.now() - started;
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
