import { elapsed, say } from "../lib/workspace.mjs";
import { Laboratory } from "./laboratory.js";
import { type Mutant, outOfDate, titleOf } from "./mutant.js";
import { mutants } from "./mutants/index.js";

type Verdict = "killed" | "SURVIVED" | "OUT OF DATE";

const nameOf = ({ file, breaks }: Mutant) => `${file}: ${breaks}`;

/** The result of one mutant, with an explanation. */
async function tried(laboratory: Laboratory, mutant: Mutant, healthy: ReadonlyMap<string, string>) {
  const old = outOfDate(mutant);
  if (old !== undefined) return { verdict: "OUT OF DATE", notes: [old] } as const;
  const titles = mutant.witnesses.map(titleOf);
  const unfit = titles.filter((title) => healthy.get(title) !== "passed");
  if (titles.length === 0 || unfit.length > 0) {
    const notes = unfit.map((title) => `without it ${title} is ${healthy.get(title) ?? "not there"}`);
    return { verdict: "OUT OF DATE", notes } as const;
  }
  const outcomes = await laboratory.outcomes(mutant.witnesses, mutant);
  const unseen = titles.filter((title) => outcomes.get(title) !== "failed");
  return unseen.length === 0
    ? ({ verdict: "killed", notes: [] } as const)
    : ({ verdict: "SURVIVED", notes: unseen.map((title) => `unseen by ${title}`) } as const);
}

/** Makes each known mistake whose name has all these parts, one by one. Returns whether its tests failed each time. */
export async function runMutants(parts: readonly string[]): Promise<boolean> {
  const chosen = mutants.filter((mutant) => parts.every((part) => nameOf(mutant).includes(part)));
  const started = performance.now();
  const tally: Record<Verdict, number> = { killed: 0, SURVIVED: 0, "OUT OF DATE": 0 };
  const laboratory = await Laboratory.open();
  try {
    const healthy = await laboratory.outcomes(chosen.flatMap(({ witnesses }) => witnesses));
    say(`${healthy.size} tests without a mutant (${elapsed(started)})`);
    for (const [at, mutant] of chosen.entries()) {
      const begun = performance.now();
      const { verdict, notes } = await tried(laboratory, mutant, healthy);
      tally[verdict] += 1;
      say(`${verdict.padEnd(11)} ${at + 1}/${chosen.length} ${nameOf(mutant)} (${elapsed(begun)})`);
      for (const note of notes) say(`            ${note}`);
    }
  } finally {
    await laboratory.close();
  }
  say(`${tally.killed} killed, ${tally.SURVIVED} survived, ${tally["OUT OF DATE"]} out of date (${elapsed(started)})`);
  return tally.killed > 0 && tally.killed === chosen.length;
}
