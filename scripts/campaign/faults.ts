import { randomInt } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createVitest } from "vitest/node";
import { elapsed, Failure, root, say } from "../lib/workspace.mjs";

const TESTS = ["kills", "bursts", "servers"].map((name) => `packages/store-postgres/test/${name}.test.ts`);
const SIZES = {
  ci: { kills: 60, bursts: 40, restarts: 3 },
  night: { kills: 2_000, bursts: 1_000, restarts: 40 },
};

/**
 * Kills connections and restarts servers at random moments, by the tests of every run with more rounds. Takes arguments
 * such as `--night --seed 7 --kills 500`. Returns whether every test passed.
 */
export async function runFaults(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      night: { type: "boolean", default: false },
      seed: { type: "string" },
      kills: { type: "string" },
      bursts: { type: "string" },
      restarts: { type: "string" },
    },
  });
  const size = values.night ? SIZES.night : SIZES.ci;
  const seed = numberOf("seed", values.seed) ?? randomInt(1_000_000);
  const kills = numberOf("kills", values.kills) ?? size.kills;
  const bursts = numberOf("bursts", values.bursts) ?? size.bursts;
  const restarts = numberOf("restarts", values.restarts) ?? size.restarts;
  say(`${kills} kills, ${bursts} bursts and ${restarts} restarts with --seed ${seed}`);
  const env = {
    REEVE_FAULTS_SEED: seed,
    REEVE_FAULTS_KILLS: kills,
    REEVE_FAULTS_BURSTS: bursts,
    REEVE_FAULTS_RESTARTS: restarts,
  };
  for (const [name, value] of Object.entries(env)) process.env[name] = String(value);

  const started = performance.now();
  const vitest = await createVitest("test", {
    root,
    watch: false,
    project: ["main"],
    maxWorkers: 1,
    reporters: ["verbose"],
  });
  try {
    await vitest.start(TESTS.map((file) => join(root, file)));
    const failed = vitest.state.getCountOfFailedTests() + vitest.state.getUnhandledErrors().length;
    say(`${failed === 0 ? "no lie was told" : `FAILED with --seed ${seed}`} (${elapsed(started)})`);
    return failed === 0;
  } finally {
    await vitest.close();
  }
}

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,6}$/.test(text)) throw new Failure(`--${name} takes a number of at most six digits`);
  return Number(text);
}
