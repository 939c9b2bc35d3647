import { join } from "node:path";
import { createVitest, type Vitest } from "vitest/node";
import { elapsed, root, say } from "../lib/workspace.mjs";
import type { FaultPlan } from "./plan.js";

/**
 * Kills connections and processes, restarts servers and lets requests race, by the tests of every run with more rounds.
 * Returns whether every test passed.
 */
export async function runFaults({ files, sizes, seed, env }: FaultPlan): Promise<boolean> {
  const much = Object.entries(sizes).map(([name, size]) => `--${name} ${size}`);
  say(`${much.join(" ")} --seed ${seed}`);
  Object.assign(process.env, env);

  const started = performance.now();
  const vitest = await createVitest("test", {
    root,
    watch: false,
    project: ["main", "sqlite", "postgres"],
    maxWorkers: 1,
    reporters: ["verbose"],
  });
  try {
    await vitest.start(files.map((file) => join(root, file)));
    for (const tally of talliesOf(vitest)) say(tally);
    const failed = vitest.state.getCountOfFailedTests() + vitest.state.getUnhandledErrors().length;
    say(`${failed === 0 ? "no lie was told" : `FAILED with --seed ${seed}`} (${elapsed(started)})`);
    return failed === 0;
  } finally {
    await vitest.close();
  }
}

/** What the tests have counted. */
function talliesOf({ state }: Vitest): string[] {
  const tests = state.getTestModules().flatMap(({ children }) => [...children.allTests()]);
  return tests.flatMap((test) => test.annotations().map(({ message }) => message));
}
