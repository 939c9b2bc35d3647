// Runs `npm test` after bootstrapping. The last line is the summary. One check counts as one test.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, command, lint, node, script, types } from "./lib/checks.js";
import { count, failures, type Report, type Tally } from "./lib/vitest-report.js";
import { elapsed, say } from "./lib/workspace.mjs";

/** Both databases. The same on the memory store, which is for tests, is for whoever works on it: project `memory`. */
const PROJECTS = ["main", "own-process", "sqlite", "postgres"].flatMap((project) => ["--project", project]);

async function unitTests(): Promise<Tally> {
  const started = performance.now();
  const directory = mkdtempSync(join(tmpdir(), "reeve-vitest-"));
  const report = join(directory, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const { ok } = await node([command("vitest"), "run", ...PROJECTS, ...reporters], true);
    const told = existsSync(report) ? (JSON.parse(readFileSync(report, "utf8")) as Report) : undefined;
    const tally = told ? count(told) : { passed: 0, failed: 0 };
    // A run can fail without a failed test: a file does not load, an error is outside of any test, or there are no
    // tests.
    if (!ok && tally.failed === 0) tally.failed = 1;
    for (const line of told ? failures(told) : []) say(line);
    say(`${ok ? "passed" : "FAILED"}  tests: ${tally.passed} passed, ${tally.failed} failed (${elapsed(started)})`);
    return tally;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

type Check = () => Promise<Tally>;

/** Fast checks, run concurrently, because readers of the log wait for them first. */
const quick: readonly Check[] = [
  () => lint("."),
  types,
  () => check("import boundaries", [command("dependency-cruiser", "depcruise"), "packages", "examples", "bench"]),
  () => check("file sizes", script("check-sizes.ts")),
  () => check("areas and resources", script("check-layout.ts")),
  () => check("generated docs", script("generate-docs.ts", "--check")),
];

const tour = (adapter: string, store: string) => () =>
  check(`tour on ${adapter} and ${store}`, script("test-tour.ts", adapter, store));

/** Checks that use the built packages. */
const slow: readonly Check[] = [
  () => check("packed packages", script("test-packed.ts")),
  () => check("package sizes", script("check-package.ts")),
  ...["fastify", "express"].flatMap((adapter) => ["sqlite", "postgres"].map((store) => tour(adapter, store))),
];

/** Runs checks one by one, in the time that the unit tests leave idle. */
async function inTurn(checks: readonly Check[]): Promise<Tally[]> {
  const tallies: Tally[] = [];
  for (const each of checks) tallies.push(await each());
  return tallies;
}

const tallies = await Promise.all(quick.map((each) => each()));
const [ofUnits, ofSlow] = await Promise.all([unitTests(), inTurn(slow)]);
tallies.push(ofUnits, ...ofSlow);

const total = (key: keyof Tally) => tallies.reduce((sum, tally) => sum + tally[key], 0);
if (total("failed") > 0) process.exitCode = 1;
say(`${total("passed")} passed, ${total("failed")} failed`);
