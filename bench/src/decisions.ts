import { parseArgs } from "node:util";
import { type DeciderProcess, startDecider, type Taken } from "./decider-process.js";
import { DECIDERS } from "./deciders.js";
import { shuffled } from "./operations.js";
import { Progress } from "./progress.js";
import { median } from "./stats.js";

const DECISIONS_USAGE = `npm run bench -- decisions [options]
  --policies 50    policies in force, each with one rule
  --rounds 5       --calls 500    calls of each contender a round`;

/** Decisions at once, and how many such calls of each contender a round. */
const IN_FLIGHT = 64;
const FLIGHTS = 20;

const BASE = "CEL, compiled";
/** Decisions until all of their code is compiled; some of it only after thousands. */
const WARM_UP = 6_000;
/** Node 20.20.2 ends within its WebAssembly after several thousand calls. */
const CEDAR = "Cedar, preparsed";

/**
 * Measures a runtime decision in process and over HTTP against tools that do less: the bare expressions, node-casbin
 * and Cedar, which read no state and write no records. All decide the same request by the same number of rules, each in
 * a process of its own.
 */
export async function benchDecisions(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      policies: { type: "string", default: "50" },
      rounds: { type: "string", default: "5" },
      calls: { type: "string", default: "500" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${DECISIONS_USAGE}\n`);
  const [policies, rounds, calls] = [values.policies, values.rounds, values.calls].map(Number) as [
    number,
    number,
    number,
  ];
  const progress = new Progress();
  const deciders: DeciderProcess[] = [];
  try {
    for (const name of Object.keys(DECIDERS)) {
      progress.at(`warming up: ${name}`);
      const decider = await startDecider(name, policies);
      deciders.push(decider);
      await decider.timesOf(name === CEDAR ? calls : WARM_UP);
    }
    const taken = new Map(deciders.map(({ name }) => [name, [] as Taken[]]));
    for (let round = 1; round <= rounds; round++) {
      for (const decider of shuffled(deciders)) taken.get(decider.name)?.push(await decider.timesOf(calls));
      progress.at(`round ${round} of ${rounds}`);
    }
    const base = taken.get(BASE) as Taken[];
    say(`a decision by ${policies} policies, medians of ${rounds} rounds of ${calls} calls`);
    for (const [name, some] of taken) {
      const ratio = median(some.map(({ p50 }, round) => p50 / (base[round] as Taken).p50));
      const [p50, p99] = [median(some.map((one) => one.p50)), median(some.map((one) => one.p99))];
      say(`${name}: p50 ${micro(p50)}, p99 ${micro(p99)}, ${ratio.toFixed(1)} times ${BASE}`);
    }
    for (const decider of deciders.filter(({ name }) => name.startsWith("decide"))) {
      const rates: number[] = [];
      for (let round = 0; round < rounds; round++) rates.push(await decider.rateOf(IN_FLIGHT * FLIGHTS, IN_FLIGHT));
      say(`${decider.name}: ${Math.round(median(rates)).toLocaleString("en")} a second with ${IN_FLIGHT} in flight`);
    }
  } finally {
    for (const decider of deciders) await decider.close();
  }
}

const micro = (milliseconds: number) => `${(milliseconds * 1_000).toFixed(1)} µs`;
const say = (line: string) => void process.stdout.write(`${line}\n`);
