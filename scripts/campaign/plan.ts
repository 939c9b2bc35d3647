import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Failure, root } from "../lib/workspace.mjs";

/** What a campaign does: known mistakes whose names have these parts, or faults and races. */
export type Plan = { readonly kind: "mutants"; readonly parts: readonly string[] } | FaultPlan;

export interface FaultPlan {
  readonly kind: "faults";
  readonly files: readonly string[];
  /** How much of each, by the name of the option. */
  readonly sizes: Readonly<Record<Size, number>>;
  readonly seed: number;
  /** The variables that tell the tests. */
  readonly env: Readonly<Record<string, string>>;
}

/** Each size by the variable that its tests read, and how much in CI and by night. */
const SIZES = {
  kills: { variable: "REEVE_FAULTS_KILLS", ci: 60, night: 2_000 },
  bursts: { variable: "REEVE_FAULTS_BURSTS", ci: 40, night: 1_000 },
  restarts: { variable: "REEVE_FAULTS_RESTARTS", ci: 3, night: 40 },
  crashes: { variable: "REEVE_FAULTS_CRASHES", ci: 20, night: 300 },
  races: { variable: "REEVE_RACE_ROUNDS", ci: 8, night: 50 },
} as const;
type Size = keyof typeof SIZES;

const FAULTS = [
  ...["kills", "bursts", "servers"].map((name) => `packages/store-postgres/test/${name}.test.ts`),
  "packages/store-sqlite/test/crash.test.ts",
];

/** The test files of faults, then those of races, in one process and between several: all that are named so. */
function filesOf(): string[] {
  const tests = readdirSync(join(root, "packages")).flatMap((name) => testsBelow(`packages/${name}/test`));
  return [...FAULTS, ...tests.filter((file) => /(races|processes)[.]test[.]ts$/.test(file)).sort()];
}

function testsBelow(folder: string): string[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  const names = readdirSync(path, { recursive: true, encoding: "utf8" });
  return names.map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
}

/** Reads the words after `npm run campaign --`. `newSeed` is asked when none is given. */
export function planOf(args: readonly string[], newSeed: () => number): Plan {
  const [kind, ...parts] = args;
  if (kind === "mutants") return { kind, parts };
  const number = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      night: { type: "boolean", default: false },
      seed: number,
      ...{ kills: number, bursts: number, restarts: number, crashes: number, races: number },
    },
  });
  const seed = numberOf("seed", values.seed) ?? newSeed();
  const sizeOf = (name: Size) => numberOf(name, values[name]) ?? SIZES[name][values.night ? "night" : "ci"];
  const names = Object.keys(SIZES) as Size[];
  const sizes = Object.fromEntries(names.map((name) => [name, sizeOf(name)])) as Record<Size, number>;
  const reported = names.map((name) => [SIZES[name].variable, String(sizes[name])]);
  return {
    kind: "faults",
    files: filesOf(),
    sizes,
    seed,
    env: { ...Object.fromEntries(reported), REEVE_FAULTS_SEED: String(seed) },
  };
}

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,6}$/.test(text)) throw new Failure(`--${name} takes a number of at most six digits`);
  return Number(text);
}
