import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type ControlPlane, createMemoryStore, type Principal } from "@reeve/core";
import { type HostilePolicy, hostilePolicies, plainPolicy } from "@reeve/testkit/hostile-policies";
import { compareBuilds } from "./builds/compare-builds.js";
import { ISSUER, MASTER_KEY, seedEstate } from "./estate.js";
import { shuffled } from "./operations.js";
import { Progress } from "./progress.js";
import { median } from "./stats.js";
import { openControlPlane } from "./subject.js";

const GUARD_USAGE = `npm run bench -- guard [options]
  --rounds 5    --calls 10    how often each hostile policy is sent a round
  --against <checkout>        another built checkout, beside this one; may be given several times
  --builds-only               no hostile policies`;

/** The policy that spends all steps of an evaluation on the cheapest work. */
const YARDSTICK = "all pairs, twelve times";
/** How many times longer than by the yardstick a step may take. */
const SLACK = 3;
/** How long the tests of a policy may take before the last one begins, in ms. */
const TESTS_MS = 500;
const MEBI = 2 ** 20;

/** The times of a policy in ms, and the largest growth of the process, in bytes. */
interface Measured {
  readonly policy: HostilePolicy;
  readonly times: number[];
  grown: number;
}

/** Measures what must not get slower: hostile policies, and this build beside others. Fails where it has. */
export async function benchGuard(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: "string", default: "5" },
      calls: { type: "string", default: "10" },
      against: { type: "string", multiple: true, default: [] },
      "builds-only": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${GUARD_USAGE}\n`);
  const [rounds, calls] = [Number(values.rounds), Number(values.calls)];
  const progress = new Progress();
  if (!values["builds-only"]) await guardPolicies(rounds, calls, progress);
  if (values.against.length === 0) return;
  const behind = await compareBuilds(values.against, rounds, progress);
  say(`${behind.length} more than a tenth behind the best build${behind.map((work) => `\n  ${work}`).join("")}`);
  if (behind.length > 0) process.exitCode = 1;
}

/**
 * Validates hostile policies with the worst values as their test. Measures the time until they are refused or end,
 * against a plain rule on the same values and the guard's declared limits.
 */
async function guardPolicies(rounds: number, calls: number, progress: Progress): Promise<void> {
  const store = createMemoryStore();
  const controlPlane = openControlPlane(store, { issuer: ISSUER, masterKey: MASTER_KEY });
  const { tenantId, userId } = await seedEstate(store, 0, progress);
  const principal = await controlPlane.principalOf(tenantId, userId);
  const all = [plainPolicy, ...hostilePolicies].map((policy): Measured => ({ policy, times: [], grown: 0 }));
  let kept = 0;
  for (let round = 0; round <= rounds; round++) {
    for (const one of shuffled(all)) {
      progress.at(`round ${round} of ${rounds}: ${one.policy.name}`);
      await send(controlPlane, principal, one, round === 0 ? 1 : calls);
    }
    // The first round warms up.
    if (round > 0) continue;
    for (const one of all) one.times.length = 0;
    kept = heapAfterCollection();
  }
  report(all, calls * rounds);
  const more = (heapAfterCollection() - kept) / MEBI;
  say(`heap in use after the last round: ${more.toFixed(1)} MiB more than after the first`);
  await controlPlane.close();
}

async function send(controlPlane: ControlPlane, principal: Principal, to: Measured, calls: number): Promise<void> {
  const { body, outcome, name } = to.policy;
  const before = process.resourceUsage().maxRSS;
  for (let call = 0; call < calls; call++) {
    const started = performance.now();
    const { faults, tests } = await controlPlane.call("aiGovernance.validatePolicy", principal, { body });
    to.times.push(performance.now() - started);
    const actual = faults[0]?.code ?? tests[0]?.actual;
    if (actual !== outcome) throw new Error(`"${name}" came to ${actual} and not to ${outcome}`);
  }
  // In kibibytes. The process reports its peak only, so each policy counts its increase.
  to.grown = Math.max(to.grown, (process.resourceUsage().maxRSS - before) * 1_024);
}

function heapAfterCollection(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

function report(all: readonly Measured[], times: number): void {
  const [plain, ...others] = all.map((one) => ({ ...one, ...quantiles(one.times) }));
  if (!plain) throw new Error("nothing was measured");
  const yardstick = others.find(({ policy }) => policy.name === YARDSTICK);
  if (!yardstick) throw new Error(`there is no policy "${YARDSTICK}"`);
  const spent = yardstick.p50 - plain.p50;
  const budget = ({ way, size }: HostilePolicy) => {
    if (way === "refused") return spent;
    return plain.p50 + SLACK * spent + (size === "policy" ? TESTS_MS : 0);
  };
  say(`${others.length} hostile policies, each ${times} times, in ms; all steps of an evaluation: ${spent.toFixed(1)}`);
  say("| What | Comes to | p50 | p99 | max | budget | beside a plain rule | grew by MiB | verdict |");
  say("|---|---|---|---|---|---|---|---|---|");
  let beyond = 0;
  for (const { policy, p50, p99, max, grown } of [plain, ...others]) {
    const most = budget(policy);
    if (p50 > most) beyond += 1;
    const figures = [p50, p99, max, most].map((ms) => ms.toFixed(2));
    const ratio = (p50 / plain.p50).toFixed(1);
    const verdict = p50 > most ? "BEYOND" : "within";
    say(`| ${[policy.name, policy.outcome, ...figures, ratio, Math.round(grown / MEBI), verdict].join(" | ")} |`);
  }
  say(`${beyond} with a median beyond their budget`);
}

function quantiles(times: readonly number[]) {
  const sorted = [...times].sort((one, other) => one - other);
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] as number;
  return { p50: median(sorted), p99, max: sorted.at(-1) as number };
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
